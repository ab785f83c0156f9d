// name: journal_trash
// access: read
// params: before oldest limit
// returns: record edges recreated
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Deleted entities, newest first, each with the number of edges deleted with it, and whether it has a later record.
MATCH (c:_GraphrestChange) WHERE c._graphrest_trash < $before AND c._graphrest_trash >= $oldest
WITH c ORDER BY c._graphrest_trash DESC LIMIT $limit
CALL (c) {
  OPTIONAL MATCH (w:_GraphrestChange) WHERE w._graphrest_with = substring(c._graphrest_entity, 5)
  RETURN count(w) AS edges
}
CALL (c) {
  OPTIONAL MATCH (later:_GraphrestChange)
  WHERE later._graphrest_entity = c._graphrest_entity AND later._graphrest_id > c._graphrest_id
  RETURN count(later) > 0 AS recreated
}
RETURN properties(c) AS record, edges, recreated ORDER BY c._graphrest_id DESC
