// name: list_edges_between_sorted
// access: read
// params: source source_id target target_id managed_types managed_labels where sort after skip limit
// slots: type id where values ranks keys after_position order sort_columns ends
// returns: element type properties own key source_id target_id sort_columns ends
// plan: NodeByElementIdSeek Expand(Into) Top !AllNodesScan !DirectedAllRelationshipsScan
// hits: 60
// internal: hidden
// As list_edges_between, ordered by properties: see cypher.Order.
{{>source_and_target}}
MATCH (s)-[r:{{type}}]->(t)
WHERE {{where}}
WITH s AS a, r, t AS b
WHERE {{>visible_edge}}
{{>sorted_page}}
