// name: constraint_user_identity
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestUserIdentity IF NOT EXISTS FOR (u:_GraphrestUser) REQUIRE u.identity IS UNIQUE
