// name: list_nodes_skip
// access: read
// params: skip
// slots: type
// returns: element
// plan: NodeByLabelScan !Sort !Top !AllNodesScan !Filter
// internal: none - finds where a page begins, in a type without internal data; list_nodes_window reads the page
// The element id of the one behind the first $skip of a type: passing over them costs a tenth of testing each.
MATCH (n:{{type}})
WITH n ORDER BY n SKIP $skip LIMIT 1
RETURN elementId(n) AS element
