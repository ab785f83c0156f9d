// name: auth_tokens_used
// access: write
// params: uses
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the times at which service tokens were used last
// It takes no version: no replica has to follow it.
UNWIND $uses AS use
MATCH (t:_GraphrestServiceToken {id: use.id})
WHERE t.last_used_at IS NULL OR t.last_used_at < use.at
SET t.last_used_at = use.at
