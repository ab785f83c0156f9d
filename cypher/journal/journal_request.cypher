// name: journal_request
// access: read
// params: request limit
// returns: record
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The records of a request, newest first.
MATCH (c:_GraphrestChange) WHERE c._graphrest_request = $request
RETURN properties(c) AS record ORDER BY c._graphrest_id DESC LIMIT $limit
