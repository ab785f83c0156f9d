// name: paths_both
// access: read
// params: source source_id target target_id most
// slots: shortest depth type id
// returns: nodes edges
// plan: NodeByElementIdSeek StatefulShortestPath(Into)/ShortestPath !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// The shortest paths between two nodes, whatever the direction of the relationships. The conditions are part of the search, so that no path leads through internal data.
// $source and $target are element ids; $source_id and $target_id, where a node has an id of its own, are checked, since element ids are reused.
MATCH (s) WHERE elementId(s) = $source AND ($source_id IS NULL OR s.{{id}} = $source_id)
WITH s LIMIT 1
MATCH (t) WHERE elementId(t) = $target AND ($target_id IS NULL OR t.{{id}} = $target_id)
WITH s, t LIMIT 1
MATCH p = {{shortest}} (s)((a)-[r:{{type}}]-(b)
  WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
    AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
    AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')){1,{{depth}}}(t)
RETURN [n IN nodes(p) | elementId(n)] AS nodes, [e IN relationships(p) | elementId(e)] AS edges LIMIT $most
