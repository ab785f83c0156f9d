// name: journal_last
// access: read
// params: entities oldest
// lists: entities
// returns: record
// plan: NodeIndexSeekByRange/NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The last record of each of several entities that has one. See journal_history.
UNWIND $entities[0] AS entity
CALL (entity) {
  MATCH (c:_GraphrestChange) WHERE c._graphrest_entity = entity AND c._graphrest_id >= $oldest
  RETURN c ORDER BY c._graphrest_entity DESC, c._graphrest_id DESC LIMIT 1
}
RETURN properties(c) AS record
