// name: list_edges_first
// access: read
// params: managed_labels where skip limit
// slots: type id internal where listed ends
// returns: element type properties own key source_id target_id internal ends
// plan: DirectedRelationshipTypeScan !Sort !Top !AllNodesScan
// hits: 24 per row
// internal: hidden, types named
// Reads the first page of a type's relationships in the database's own order: see list_nodes_first.
MATCH (a)-[r:{{type}}]->(b)
WHERE {{where}} AND NOT a:{{internal}} AND NOT b:{{internal}} AND {{listed}}
WITH a, r, b ORDER BY r SKIP $skip LIMIT $limit
{{>scanned_edges}}
