// name: constraint_service_token_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestServiceTokenId IF NOT EXISTS FOR (t:_GraphrestServiceToken) REQUIRE t.id IS UNIQUE
