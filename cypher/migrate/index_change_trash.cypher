// name: index_change_trash
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangeTrash IF NOT EXISTS FOR (e:_GraphrestChange) ON (e._graphrest_trash)
