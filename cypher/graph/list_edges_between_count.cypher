// name: list_edges_between_count
// access: read
// params: source source_id target target_id where
// slots: type id where
// returns: total
// plan: NodeByElementIdSeek Expand(Into) !AllNodesScan !DirectedAllRelationshipsScan
// hits: 30
// internal: hidden
// Counts the relationships that list_edges_between lists.
{{>source_and_target}}
MATCH (s)-[r:{{type}}]->(t)
WHERE {{where}}
WITH s AS a, r, t AS b
WHERE {{>visible_edge}}
RETURN count(r) AS total
