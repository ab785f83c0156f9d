// name: list_edges_within
// access: read
// params: managed_labels after window limit where
// slots: type id internal where ends
// returns: element type properties own key source_id target_id internal ends
// plan: DirectedRelationshipUniqueIndexSeekByRange !Sort !Top !DirectedRelationshipTypeScan !AllNodesScan
// hits: 24 per row
// internal: hidden, types named
// As list_nodes_within, for relationships.
MATCH (a)-[r:{{type}}]->(b)
WHERE r.{{id}} > $after
WITH a, r, b ORDER BY r.{{id}} LIMIT $window
WITH a, r, b WHERE {{where}} AND NOT a:{{internal}} AND NOT b:{{internal}}
WITH a, r, b, true AS own, r.{{id}} AS key ORDER BY r.{{id}} LIMIT $limit
{{>indexed_edges}}
