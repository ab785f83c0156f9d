// name: declared_edges_check
// access: read
// params: -
// slots: type
// returns: element properties source_labels target_labels
// plan: DirectedRelationshipTypeScan !Sort !AllNodesScan
// internal: hidden
// Reads every relationship of a type, for validation against its declaration.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
RETURN elementId(r) AS element, r {.*} AS properties, labels(a) AS source_labels, labels(b) AS target_labels
