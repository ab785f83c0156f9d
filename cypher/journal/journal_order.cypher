// name: journal_order
// access: write
// params: limit
// returns: ordered position
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Gives the next positions of the feed to records that have none. The lock of the state node serializes the replicas.
MERGE (s:_GraphrestState {name: 'journal'})
SET s += {}
WITH s
CALL (s) {
  MATCH (c:_GraphrestUnordered) WHERE c._graphrest_id > ''
  WITH c ORDER BY c._graphrest_id LIMIT $limit
  RETURN collect(c) AS changes
}
WITH s, changes, coalesce(s.position, 0) AS position
FOREACH (i IN range(0, size(changes) - 1) |
  FOREACH (c IN [changes[i]] |
    SET c._graphrest_position = position + i + 1
    REMOVE c:_GraphrestUnordered))
SET s.position = position + size(changes)
RETURN size(changes) AS ordered, position + size(changes) AS position
