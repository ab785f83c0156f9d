// name: batch_end
// access: write
// params: key results
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on idempotency keys
// Ends the transaction of a batch that has an Idempotency-Key: stores one text for each operation, from which a replay is answered.
MATCH (k:_GraphrestIdempotencyKey {key: $key})
SET k.results = $results
