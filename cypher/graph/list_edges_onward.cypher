// name: list_edges_onward
// access: read
// params: from to managed_labels where limit
// slots: type id internal where listed ends
// returns: element type properties own key source_id target_id internal ends
// plan: DirectedRelationshipByIdSeek Limit !Sort !Top !DirectedRelationshipTypeScan !AllNodesScan
// hits: 28 per row
// internal: hidden, types named
// As list_edges_window, number by number: see list_nodes_onward.
CYPHER 5
UNWIND range($from, $to) AS number
MATCH (a)-[r:{{type}}]->(b)
WHERE id(r) = number AND {{where}} AND NOT a:{{internal}} AND NOT b:{{internal}} AND {{listed}}
WITH a, r, b LIMIT $limit
{{>scanned_edges}}
