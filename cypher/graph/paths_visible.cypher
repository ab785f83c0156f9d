// name: paths_visible
// access: read
// params: source source_id target target_id max_paths view
// slots: shortest steps arrow id view
// returns: paths
// plan: NodeByElementIdSeek ShortestPath !StatefulShortestPath !CartesianProduct !AllNodesScan !DirectedAllRelationshipsScan
// hits: 40
// internal: hidden
// As paths, for two nodes of which a shortest path contains internal data, or for a user who sees a part of the graph. The predicate is
// part of the search, so that the search avoids what is not visible.
{{>source_and_target}}
MATCH p = {{shortest}}((s)-[{{steps}}]{{arrow}}(t))
WHERE all(n IN nodes(p) WHERE {{>visible_node n}})
  AND all(r IN relationships(p) WHERE {{>visible_type r}} AND {{view}})
WITH p LIMIT $max_paths
RETURN collect([[n IN nodes(p) | elementId(n)], [r IN relationships(p) | elementId(r)]]) AS paths
