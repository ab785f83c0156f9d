// name: constraint_deleted_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestDeletedUserId IF NOT EXISTS FOR (d:_GraphrestDeletedUser) REQUIRE d.id IS UNIQUE
