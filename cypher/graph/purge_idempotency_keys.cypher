// name: purge_idempotency_keys
// access: write
// params: -
// returns: removed
// plan: -
// internal: only - it works on idempotency keys
// Removes expired keys, in batches of 10,000.
MATCH (k:_GraphrestIdempotencyKey) WHERE k.expires_at <= timestamp()
WITH k LIMIT 10000
DELETE k
RETURN count(*) AS removed
