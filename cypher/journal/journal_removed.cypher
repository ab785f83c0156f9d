// name: journal_removed
// access: read
// params: nodes limit
// lists: nodes
// returns: record number
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The records of the edges that were deleted with each of several nodes, newest first; a row is [id of the node, id of a record that those
// read begin before, element id of the node, number].
UNWIND $nodes[0] AS row
CALL (row) {
  MATCH (c:_GraphrestChange) WHERE c._graphrest_with = row[0]
  WITH c, row WHERE c._graphrest_id < row[1] AND row[2] IN c._graphrest_ends[0..2]
  RETURN c ORDER BY c._graphrest_id DESC LIMIT $limit
}
RETURN properties(c) AS record, row[3] AS number
