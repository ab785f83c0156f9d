// name: constraint_change_set_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestChangeSetId IF NOT EXISTS FOR (c:_GraphrestChangeSet) REQUIRE c.id IS UNIQUE
