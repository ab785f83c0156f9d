// name: query_stamps
// access: read
// params: -
// returns: name version
// plan: NodeByLabelScan !AllNodesScan
// internal: only - it works on saved queries
// The version of each saved query. Two reads of the same versions need not read the definitions again.
MATCH (q:_GraphrestQuery)
RETURN q.name AS name, [q.version, q.created_at] AS version
ORDER BY name
