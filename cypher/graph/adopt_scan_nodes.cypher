// name: adopt_scan_nodes
// access: read
// params: -
// slots: type id
// returns: element
// plan: NodeByLabelScan !Sort !AllNodesScan
// internal: hidden
// Returns the nodes of a label without the id property, unsorted. The caller reads them as a stream.
MATCH (n:{{type}})
WHERE n.{{id}} IS NULL AND {{>visible_node n}}
RETURN elementId(n) AS element
