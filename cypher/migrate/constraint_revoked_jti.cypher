// name: constraint_revoked_jti
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestRevokedTokenJti IF NOT EXISTS FOR (t:_GraphrestRevokedToken) REQUIRE t.jti IS UNIQUE
