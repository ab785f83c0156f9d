// name: list_edges_both_count
// access: read
// params: node node_id where
// slots: type id where
// returns: total
// plan: NodeByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// hits: 30
// internal: hidden
// Counts the relationships that list_edges_around lists in this direction.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n)-[r:{{type}}]-()
WHERE {{where}}
WITH DISTINCT r
WITH startNode(r) AS a, r, endNode(r) AS b
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN count(r) AS total
