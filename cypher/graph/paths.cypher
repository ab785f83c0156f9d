// name: paths
// access: read
// params: source source_id target target_id max_paths
// slots: shortest steps arrow id
// returns: paths
// plan: NodeByElementIdSeek ShortestPath !StatefulShortestPath !CartesianProduct !AllNodesScan !DirectedAllRelationshipsScan
// hits: 40
// internal: hidden by the caller - a result without internal entities is the same with and without the predicate, which doubles the db hits; for any other the caller runs paths_visible
// Finds the shortest paths between two nodes and returns element ids, with whether each path contains internal data. shortestPath()
// searches from both ends. Separate statements read the entities, up to the byte limit.
// LIMIT 1 makes the planner read both ends before the search.
// $source and $target are element ids. $source_id and $target_id, if a node has its own id, are checked, because element ids are reused.
MATCH (s) WHERE elementId(s) = $source AND ($source_id IS NULL OR s.{{id}} = $source_id)
WITH s LIMIT 1
MATCH (t) WHERE elementId(t) = $target AND ($target_id IS NULL OR t.{{id}} = $target_id)
WITH s, t LIMIT 1
MATCH p = {{shortest}}((s)-[{{steps}}]{{arrow}}(t))
WITH p LIMIT $max_paths
RETURN collect([[n IN nodes(p) | elementId(n)], [r IN relationships(p) | elementId(r)],
  any(n IN nodes(p) WHERE any(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest'))
    OR any(r IN relationships(p) WHERE toLower(type(r)) STARTS WITH '_graphrest')]) AS paths
