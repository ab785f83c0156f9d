// name: export_edges
// access: read
// params: chosen managed_labels
// slots: type id
// returns: element type properties source_id target_id
// plan: DirectedRelationshipTypeScan !Sort !AllNodesScan
// internal: hidden
// The relationships of a type as they come, with the ids of their ends. $chosen, where it is not null, holds the labels one of
// which each end must have.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
  AND ($chosen IS NULL OR (any(l IN labels(a) WHERE l IN $chosen) AND any(l IN labels(b) WHERE l IN $chosen)))
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties,
       CASE WHEN coalesce(a.{{id}} > '' AND any(l IN labels(a) WHERE l IN $managed_labels), false) THEN a.{{id}} ELSE elementId(a) END AS source_id,
       CASE WHEN coalesce(b.{{id}} > '' AND any(l IN labels(b) WHERE l IN $managed_labels), false) THEN b.{{id}} ELSE elementId(b) END AS target_id
