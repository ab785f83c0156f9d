// name: list_nodes_skip
// access: read
// params: skip
// slots: type
// returns: element
// plan: NodeByLabelScan !Sort !Top !AllNodesScan !Filter
// hits: 1 per entity
// internal: none - finds the start of a page, in a type without internal data; list_nodes_window reads the page
// Returns the element id of the node after the first $skip of a type. Skipping costs a tenth of testing each.
MATCH (n:{{type}})
WITH n ORDER BY n SKIP $skip LIMIT 1
RETURN elementId(n) AS element
