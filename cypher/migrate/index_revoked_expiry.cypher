// name: index_revoked_expiry
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestRevokedTokenExpiry IF NOT EXISTS FOR (t:_GraphrestRevokedToken) ON (t.expires_at)
