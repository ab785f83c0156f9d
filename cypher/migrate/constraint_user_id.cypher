// name: constraint_user_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestUserId IF NOT EXISTS FOR (u:_GraphrestUser) REQUIRE u.id IS UNIQUE
