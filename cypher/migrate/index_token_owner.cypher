// name: index_token_owner
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestServiceTokenOwner IF NOT EXISTS FOR (t:_GraphrestServiceToken) ON (t.owner_id)
