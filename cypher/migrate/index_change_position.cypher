// name: index_change_position
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangePosition IF NOT EXISTS FOR (e:_GraphrestChange) ON (e._graphrest_position)
