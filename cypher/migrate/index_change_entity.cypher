// name: index_change_entity
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangeEntity IF NOT EXISTS FOR (e:_GraphrestChange) ON (e._graphrest_entity, e._graphrest_id)
