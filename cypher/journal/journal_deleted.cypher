// name: journal_deleted
// access: read
// params: entities
// lists: entities
// returns: deleted
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Which entities were deleted by their last recorded change.
UNWIND $entities[0] AS entity
CALL (entity) {
  MATCH (c:_GraphrestChange) WHERE c._graphrest_entity = entity AND c._graphrest_id > ''
  RETURN c ORDER BY c._graphrest_entity DESC, c._graphrest_id DESC LIMIT 1
}
WITH entity, c WHERE c._graphrest_meta[0] = 'delete'
RETURN collect(entity) AS deleted
