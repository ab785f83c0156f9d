// name: list_edges_indexed
// access: read
// params: managed_labels after skip limit where
// slots: type id internal where ends
// returns: element type properties own key source_id target_id internal ends
// plan: DirectedRelationshipUniqueIndexSeekByRange !Sort !Top !DirectedRelationshipTypeScan !AllNodesScan
// hits: 24 per row
// internal: hidden, types named
// Reads a page of a managed type's relationships that have an id, by the id index in order (see list_nodes_indexed).
MATCH (a)-[r:{{type}}]->(b)
WHERE r.{{id}} > $after AND {{where}} AND NOT a:{{internal}} AND NOT b:{{internal}}
WITH a, r, b, true AS own, r.{{id}} AS key ORDER BY r.{{id}} SKIP $skip LIMIT $limit
{{>indexed_edges}}
