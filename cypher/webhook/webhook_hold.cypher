// name: webhook_hold
// access: write
// params: holder duration
// returns: held version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - it works on the lease of the deliverer
// Takes or renews the lease for $duration milliseconds, unless another holder has it. The clock is read before the lock is awaited, so the
// lease never lasts longer here than the holder counts, and another's never appears to end early.
MERGE (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s, s.holder = $holder OR coalesce(s.until, 0) <= timestamp() AS held
FOREACH (x IN CASE WHEN held THEN [1] ELSE [] END | SET s.holder = $holder, s.until = timestamp() + $duration)
RETURN coalesce(held, false) AS held, coalesce(s.version, 0) AS version
