// name: list_edges_chosen
// access: read
// params: elements managed_labels
// lists: elements
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
RETURN elementId(r) AS element, type(r) AS type, r {.*} AS properties,
       {{>edge_end_ids}}, {{ends}} AS ends
