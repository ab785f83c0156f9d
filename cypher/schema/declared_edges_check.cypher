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
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN elementId(r) AS element, properties(r) AS properties, labels(a) AS source_labels, labels(b) AS target_labels
