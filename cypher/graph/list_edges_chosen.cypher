// name: list_edges_chosen
// access: read
// params: elements managed_labels
// slots: id ends
// returns: element type properties source_id target_id ends
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// hits: 24 per row
// internal: hidden
// Reads the relationships that list_edges_top selected, in their order.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (a)-[r]->(b) WHERE elementId(r) = $elements[0][i]
  AND {{>visible_edge}}
WITH i, a, r, b ORDER BY i
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties,
       CASE WHEN coalesce($managed_labels <> [] AND a.{{id}} > '' AND any(l IN labels(a) WHERE l IN $managed_labels), false) THEN a.{{id}} ELSE elementId(a) END AS source_id,
       CASE WHEN coalesce($managed_labels <> [] AND b.{{id}} > '' AND any(l IN labels(b) WHERE l IN $managed_labels), false) THEN b.{{id}} ELSE elementId(b) END AS target_id, {{ends}} AS ends
