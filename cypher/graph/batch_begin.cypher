// name: batch_begin
// access: write
// params: key id fingerprint now expires
// returns: first id fingerprint results
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan !NodeByLabelScan
// internal: only - it works on idempotency keys
// Begins the transaction of a batch of operations: records under its key that the batch $id is applied, unless the key is in use. The key is
// locked before it is read, so that a transaction whose outcome is unknown ends before its repetition reads the key. See
// create_nodes_keyed.
MERGE (k:_GraphrestIdempotencyKey {key: $key})
SET k += {}
WITH k, k.id IS NULL OR k.expires_at <= $now AS first
FOREACH (_ IN CASE WHEN first THEN [1] ELSE [] END |
  SET k.id = $id, k.fingerprint = $fingerprint, k.expires_at = $expires, k.results = null)
RETURN first, k.id AS id, k.fingerprint AS fingerprint, k.results AS results
