// name: constraint_service_token_folded
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestServiceTokenFolded IF NOT EXISTS FOR (t:_GraphrestServiceToken) REQUIRE t.folded IS UNIQUE
