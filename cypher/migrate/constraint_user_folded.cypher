// name: constraint_user_folded
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestUserFolded IF NOT EXISTS FOR (u:_GraphrestUser) REQUIRE u.folded IS UNIQUE
