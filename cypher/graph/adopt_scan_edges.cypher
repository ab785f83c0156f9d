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
WHERE {{>visible_edge}}
RETURN elementId(r) AS element
