// name: journal_at
// access: read
// params: position
// returns: id
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The id of the record at a position in the feed, if it is kept.
MATCH (c:_GraphrestChange) WHERE c._graphrest_position = $position
RETURN c._graphrest_id AS id
