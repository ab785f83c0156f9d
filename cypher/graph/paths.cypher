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
{{>source_and_target}}
MATCH p = {{shortest}}((s)-[{{steps}}]{{arrow}}(t))
WITH p LIMIT $max_paths
RETURN collect([[n IN nodes(p) | elementId(n)], [r IN relationships(p) | elementId(r)],
  any(n IN nodes(p) WHERE any(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest'))
    OR any(r IN relationships(p) WHERE toLower(type(r)) STARTS WITH '_graphrest')]) AS paths
