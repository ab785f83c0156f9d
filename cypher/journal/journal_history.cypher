// name: journal_history
// access: read
// params: entities own before oldest limit
// returns: record
// plan: NodeIndexSeekByRange/NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The records of an entity before a record, newest first, each as its properties. An entity may have records under two ids: its element id
// and one that it was given later.
UNWIND $entities AS entity
CALL (entity) {
  MATCH (c:_GraphrestChange)
  WHERE c._graphrest_entity = entity AND c._graphrest_id < $before AND c._graphrest_id >= $oldest AND {{>own_record}}
  RETURN c ORDER BY c._graphrest_entity DESC, c._graphrest_id DESC LIMIT $limit
}
RETURN properties(c) AS record ORDER BY c._graphrest_id DESC LIMIT $limit
