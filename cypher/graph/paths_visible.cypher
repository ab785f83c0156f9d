// name: paths_visible
// access: read
// params: source source_id target target_id max_paths
// slots: shortest steps arrow id
// returns: paths nodes edges
// plan: NodeByElementIdSeek ShortestPath !StatefulShortestPath !CartesianProduct !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// As paths, for two nodes between which a shortest path leads through internal data. The predicate is part of the search, so that it goes
// around them.
MATCH (s) WHERE elementId(s) = $source AND ($source_id IS NULL OR s.{{id}} = $source_id)
WITH s LIMIT 1
MATCH (t) WHERE elementId(t) = $target AND ($target_id IS NULL OR t.{{id}} = $target_id)
WITH s, t LIMIT 1
MATCH p = {{shortest}}((s)-[{{steps}}]{{arrow}}(t))
WHERE all(n IN nodes(p) WHERE none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest'))
  AND all(r IN relationships(p) WHERE NOT toLower(type(r)) STARTS WITH '_graphrest')
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
