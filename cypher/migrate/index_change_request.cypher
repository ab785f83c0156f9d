// name: index_change_request
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangeRequest IF NOT EXISTS FOR (e:_GraphrestChange) ON (e._graphrest_request)
