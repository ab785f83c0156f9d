// name: index_unordered_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestUnorderedId IF NOT EXISTS FOR (e:_GraphrestUnordered) ON (e._graphrest_id)
