// name: index_idempotency_expiry
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE INDEX _GraphrestIdempotencyKeyExpiry IF NOT EXISTS FOR (k:_GraphrestIdempotencyKey) ON (k.expires_at)
