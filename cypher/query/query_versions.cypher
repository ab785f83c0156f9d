// name: query_versions
// access: read
// params: name
// returns: query
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved queries
// The kept versions of a saved query, the newest first. It returns no row if there is no such query.
MATCH (q:_GraphrestQuery {name: $name})-[:_GraphrestVersion]->(v:_GraphrestQueryVersion)
RETURN properties(v) AS query
ORDER BY v.version DESC
