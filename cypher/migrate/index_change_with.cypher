// name: index_change_with
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangeWith IF NOT EXISTS FOR (e:_GraphrestChange) ON (e._graphrest_with)
