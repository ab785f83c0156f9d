// name: purge_idempotency_keys
// access: write
// params: -
// returns: -
// plan: -
// internal: only - idempotency keys only
// Removes keys whose time is over, at most 10,000 at once.
MATCH (k:_GraphrestIdempotencyKey) WHERE k.expires_at <= timestamp()
WITH k LIMIT 10000
DELETE k
