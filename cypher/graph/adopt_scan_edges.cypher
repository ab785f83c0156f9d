// name: adopt_scan_edges
// access: read
// params: -
// slots: type id
// returns: element
// plan: DirectedRelationshipTypeScan !Sort !AllNodesScan
// internal: hidden
// As adopt_scan_nodes, for a relationship type.
MATCH ()-[r:{{type}}]->()
WHERE r.{{id}} IS NULL
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN elementId(r) AS element
