// name: index_deleted_version
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestDeletedUserVersion IF NOT EXISTS FOR (d:_GraphrestDeletedUser) ON (d.version)
