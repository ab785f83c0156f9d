// name: query_list
// access: read
// params: -
// returns: query
// plan: NodeByLabelScan !AllNodesScan
// internal: only - it works on saved queries
// All saved queries in their current version.
MATCH (q:_GraphrestQuery)
RETURN properties(q) AS query
ORDER BY q.name
