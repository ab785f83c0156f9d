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
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties, false AS own, elementId(r) AS key,
       CASE WHEN coalesce($managed_labels <> [] AND a.{{id}} > '' AND any(l IN labels(a) WHERE l IN $managed_labels), false) THEN a.{{id}} ELSE elementId(a) END AS source_id,
       CASE WHEN coalesce($managed_labels <> [] AND b.{{id}} > '' AND any(l IN labels(b) WHERE l IN $managed_labels), false) THEN b.{{id}} ELSE elementId(b) END AS target_id, {{ends}} AS ends,
       any(l IN labels(a) + labels(b) WHERE toLower(l) STARTS WITH '_graphrest') AS internal
