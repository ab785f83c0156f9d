// name: paths
// access: read
// params: source source_id target target_id max_paths
// slots: shortest steps arrow id
// returns: paths nodes edges
// plan: NodeByElementIdSeek ShortestPath !StatefulShortestPath !CartesianProduct !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden by the caller - a result without internal entities is the same with and without the predicate, which doubles the db hits; for any other the caller runs paths_visible
// The shortest paths between two nodes, in element ids, and the entities on them, each once. shortestPath() searches from both ends.
// LIMIT 1 makes the planner hold both ends before the search.
// $source and $target are element ids; $source_id and $target_id, where a node has an id of its own, are checked, since element ids are reused.
MATCH (s) WHERE elementId(s) = $source AND ($source_id IS NULL OR s.{{id}} = $source_id)
WITH s LIMIT 1
MATCH (t) WHERE elementId(t) = $target AND ($target_id IS NULL OR t.{{id}} = $target_id)
WITH s, t LIMIT 1
MATCH p = {{shortest}}((s)-[{{steps}}]{{arrow}}(t))
WITH p LIMIT $max_paths
WITH collect([[n IN nodes(p) | elementId(n)], [e IN relationships(p) | elementId(e)]]) AS paths,
     collect(nodes(p)) AS node_lists, collect(relationships(p)) AS edge_lists
CALL (node_lists) {
  UNWIND node_lists AS list
  UNWIND list AS n
  WITH DISTINCT n
  RETURN collect([elementId(n), labels(n), properties(n)]) AS nodes
}
CALL (edge_lists) {
  UNWIND edge_lists AS list
  UNWIND list AS r
  WITH DISTINCT r, startNode(r) AS a, endNode(r) AS b
  RETURN collect([elementId(r), type(r), properties(r), elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}]) AS edges
}
RETURN paths, nodes, edges
