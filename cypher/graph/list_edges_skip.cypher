// name: list_edges_skip
// access: read
// params: skip
// slots: type
// returns: element
// plan: DirectedRelationshipTypeScan !Sort !Top !AllNodesScan !Filter
// internal: none - finds where a page begins, in a type without internal data; list_edges_window reads the page
// The element id of the one behind the first $skip of a type: passing over them costs a tenth of testing each.
MATCH ()-[r:{{type}}]->()
WITH r ORDER BY r SKIP $skip LIMIT 1
RETURN elementId(r) AS element
