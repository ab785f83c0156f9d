// name: list_edges_both_sorted
// access: read
// params: node node_id managed_types managed_labels where sort after skip limit
// slots: type id where values ranks keys after_position order sort_columns ends
// returns: element type properties own key source_id target_id sort_columns ends
// plan: NodeByElementIdSeek Expand(All) Top !AllNodesScan !DirectedAllRelationshipsScan
// hits: 60
// internal: hidden
// As list_edges_around, ordered by properties: see cypher.Order.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n)-[r:{{type}}]-()
WHERE {{where}}
WITH DISTINCT r
WITH startNode(r) AS a, r, endNode(r) AS b
WHERE {{>visible_edge}}
{{>sorted_page}}
