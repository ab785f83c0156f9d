// name: list_edges_window
// access: read
// params: from to managed_labels where limit
// slots: type id internal where listed ends
// returns: element type properties own key source_id target_id internal ends
// plan: DirectedRelationshipByIdSeek Top !DirectedRelationshipTypeScan !AllNodesScan
// hits: 28 per row
// internal: hidden, types named
// As list_edges_first, for the relationships with the numbers $from to $to: see list_nodes_window.
CYPHER 5
MATCH (a)-[r:{{type}}]->(b)
WHERE id(r) IN range($from, $to) AND {{where}} AND NOT a:{{internal}} AND NOT b:{{internal}} AND {{listed}}
WITH a, r, b ORDER BY r LIMIT $limit
{{>scanned_edges}}
