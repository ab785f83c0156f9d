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
WHERE {{>visible_edge}}
RETURN count(r) AS total
