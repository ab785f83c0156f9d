// name: constraint_service_token_hash
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestServiceTokenHash IF NOT EXISTS FOR (t:_GraphrestServiceToken) REQUIRE t.hash IS UNIQUE
