// name: list_edges_skip
// access: read
// params: skip
// slots: type
// returns: element
// plan: DirectedRelationshipTypeScan !Sort !Top !AllNodesScan !Filter
// hits: 1 per entity
// internal: none - finds the start of a page, in a type without internal data; list_edges_window reads the page
// Returns the element id of the relationship after the first $skip of a type. Skipping costs a tenth of testing each.
MATCH ()-[r:{{type}}]->()
WITH r ORDER BY r SKIP $skip LIMIT 1
RETURN elementId(r) AS element
