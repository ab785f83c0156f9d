// name: webhook_release
// access: write
// params: holder
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - it works on the lease of the deliverer
// Ends the lease, if the holder has it.
MATCH (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s WHERE s.holder = $holder
SET s.until = 0
