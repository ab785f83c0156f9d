// name: journal_around
// access: read
// params: entities own at
// returns: last next
// plan: NodeIndexSeekByRange/NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The last record of an entity up to an id, and the first after it; null for none. See journal_history.
CALL () {
  UNWIND $entities AS entity
  CALL (entity) {
    MATCH (c:_GraphrestChange) WHERE c._graphrest_entity = entity AND c._graphrest_id <= $at AND {{>own_record}}
    RETURN c ORDER BY c._graphrest_entity DESC, c._graphrest_id DESC LIMIT 1
  }
  WITH c ORDER BY c._graphrest_id DESC LIMIT 1
  RETURN collect(properties(c))[0] AS last
}
CALL () {
  UNWIND $entities AS entity
  CALL (entity) {
    MATCH (c:_GraphrestChange) WHERE c._graphrest_entity = entity AND c._graphrest_id > $at AND {{>own_record}}
    RETURN c ORDER BY c._graphrest_entity, c._graphrest_id LIMIT 1
  }
  WITH c ORDER BY c._graphrest_id LIMIT 1
  RETURN collect(properties(c))[0] AS next
}
RETURN last, next
