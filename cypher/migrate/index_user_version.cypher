// name: index_user_version
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestUserVersion IF NOT EXISTS FOR (u:_GraphrestUser) ON (u.version)
