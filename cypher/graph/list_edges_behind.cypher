// name: list_edges_behind
// access: read
// params: after managed_labels where limit
// slots: type id internal where listed ends
// returns: element type properties own key source_id target_id internal ends
// plan: DirectedRelationshipTypeScan !Sort !Top !AllNodesScan
// hits: 2 per entity
// internal: hidden, types named
// Reads a page as list_edges_first does, after the relationship with the number $after, by scan: see list_nodes_behind.
CYPHER 5
MATCH (a)-[r:{{type}}]->(b)
WHERE id(r) > $after AND {{where}} AND NOT a:{{internal}} AND NOT b:{{internal}} AND {{listed}}
WITH a, r, b ORDER BY r LIMIT $limit
{{>scanned_edges}}
