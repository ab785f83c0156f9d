// name: export_edges
// access: read
// params: chosen managed_labels view
// slots: type id internal view
// returns: element properties source_id target_id internal
// plan: DirectedRelationshipTypeScan !Sort !AllNodesScan
// internal: hidden, types named
// Returns the relationships of a type, unsorted, with the ids of their ends. $chosen, unless null, are labels; each end must have one of
// them.
MATCH (a)-[r:{{type}}]->(b)
WHERE NOT a:{{internal}} AND NOT b:{{internal}} AND {{view}}
  AND ($chosen IS NULL OR (any(l IN labels(a) WHERE l IN $chosen) AND any(l IN labels(b) WHERE l IN $chosen)))
RETURN elementId(r) AS element, r {.*} AS properties,
       {{>edge_end_ids}},
       {{>internal_end}}
