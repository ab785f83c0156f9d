// name: index_service_token_version
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestServiceTokenVersion IF NOT EXISTS FOR (t:_GraphrestServiceToken) ON (t.version)
