// name: journal_purge
// access: write
// params: before limit
// returns: removed
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Removes the oldest records of the feed that are older than an id. The lock of the state node serializes the replicas.
MERGE (s:_GraphrestState {name: 'journal'})
SET s += {}
WITH s
CALL (s) {
  MATCH (c:_GraphrestChange) WHERE c._graphrest_position > 0
  WITH c ORDER BY c._graphrest_position LIMIT $limit
  WITH c WHERE c._graphrest_id < $before
  WITH c, c._graphrest_position AS position, c._graphrest_id AS id
  DELETE c
  RETURN count(*) AS removed, max(position) AS last, max(id) AS newest
}
SET s.removed_position = coalesce(last, s.removed_position), s.removed_id = coalesce(newest, s.removed_id)
RETURN removed
