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
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties, false AS own, elementId(r) AS key,
       CASE WHEN coalesce($managed_labels <> [] AND a.{{id}} > '' AND any(l IN labels(a) WHERE l IN $managed_labels), false) THEN a.{{id}} ELSE elementId(a) END AS source_id,
       CASE WHEN coalesce($managed_labels <> [] AND b.{{id}} > '' AND any(l IN labels(b) WHERE l IN $managed_labels), false) THEN b.{{id}} ELSE elementId(b) END AS target_id, {{ends}} AS ends,
       any(l IN labels(a) + labels(b) WHERE toLower(l) STARTS WITH '_graphrest') AS internal
