// name: journal_sample
// access: read
// params: limit
// returns: record
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The oldest records, to estimate the size of all.
MATCH (c:_GraphrestChange) WHERE c._graphrest_position > 0
RETURN properties(c) AS record ORDER BY c._graphrest_position LIMIT $limit
