// name: index_change_set_closed
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangeSetClosed IF NOT EXISTS FOR (c:_GraphrestChangeSet) ON (c.closed_at)
