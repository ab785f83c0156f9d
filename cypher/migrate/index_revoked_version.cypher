// name: index_revoked_version
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestRevokedTokenVersion IF NOT EXISTS FOR (t:_GraphrestRevokedToken) ON (t.version)
