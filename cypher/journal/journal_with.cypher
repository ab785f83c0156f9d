// name: journal_with
// access: read
// params: node element entity change_id limit
// returns: record
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The records of the edges that were deleted with a node, newest first: not those of an earlier deletion of it, before it was created again, nor
// those of another node with its id.
CALL () {
  MATCH (m:_GraphrestChange) WHERE m._graphrest_entity = $entity AND m._graphrest_id < $change_id
  WITH m WHERE m._graphrest_meta[0] = 'create'
  RETURN coalesce(max(m._graphrest_id), '') AS created
}
MATCH (c:_GraphrestChange) WHERE c._graphrest_with = $node
WITH c, created WHERE c._graphrest_id > created AND $element IN c._graphrest_ends[0..2]
RETURN properties(c) AS record ORDER BY c._graphrest_id DESC LIMIT $limit
