// name: journal_purge
// access: write
// params: before excess limit
// returns: removed bytes
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Removes the oldest records of the feed that are older than an id, until they have $excess bytes, and returns the bytes of those that
// remain: see journal_measure. The lock of the state node serializes the replicas.
MERGE (s:_GraphrestState {name: 'journal'})
SET s += {}
WITH s
CALL (s) {
  MATCH (c:_GraphrestChange) WHERE c._graphrest_position > 0
  WITH c ORDER BY c._graphrest_position LIMIT $limit
  WITH c WHERE c._graphrest_id < $before
  WITH collect([c, {{>record_bytes}}]) AS rows
  WITH rows, reduce(cut = [0, 0], row IN rows | CASE WHEN cut[0] >= $excess THEN cut ELSE [cut[0] + row[1], cut[1] + 1] END) AS cut
  UNWIND rows[..cut[1]] AS row
  WITH row[0] AS c, row[1] AS bytes
  WITH c, c._graphrest_position AS position, c._graphrest_id AS id, bytes
  DELETE c
  RETURN count(*) AS removed, max(position) AS last, max(id) AS newest,
    sum(CASE WHEN position <= s.measured_position THEN bytes ELSE 0 END) AS subtracted
}
SET s.removed_position = coalesce(last, s.removed_position), s.removed_id = coalesce(newest, s.removed_id),
  s.bytes = coalesce(s.bytes, 0) - subtracted
RETURN removed, s.bytes AS bytes
