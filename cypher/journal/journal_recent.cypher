// name: journal_recent
// access: read
// params: before limit
// returns: record
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The records before a position of the feed, the last one first.
MATCH (c:_GraphrestChange) WHERE c._graphrest_position < $before
WITH c ORDER BY c._graphrest_position DESC LIMIT $limit
RETURN properties(c) AS record ORDER BY c._graphrest_position DESC
