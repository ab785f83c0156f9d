// name: journal_measure
// access: write
// params: limit
// returns: measured bytes
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Adds the size of the next records of the feed to the size of those that were measured before. A record does not change after it has its
// position, so that what removes it subtracts the same size. The lock of the state node serializes the replicas.
MERGE (s:_GraphrestState {name: 'journal'})
SET s += {}
WITH s, coalesce(s.measured_position, 0) AS measured_position
CALL (measured_position) {
  MATCH (c:_GraphrestChange) WHERE c._graphrest_position > measured_position
  WITH c ORDER BY c._graphrest_position LIMIT $limit
  RETURN count(c) AS measured, max(c._graphrest_position) AS last, sum({{>record_bytes}}) AS added
}
SET s.bytes = coalesce(s.bytes, 0) + added, s.measured_position = coalesce(last, measured_position)
RETURN measured, s.bytes AS bytes
