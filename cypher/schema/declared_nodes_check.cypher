// name: declared_nodes_check
// access: read
// params: -
// slots: type
// returns: element labels properties
// plan: NodeByLabelScan !Sort !AllNodesScan
// internal: hidden
// Reads every node of a label, for validation against its declaration.
MATCH (n:{{type}})
WHERE {{>visible_node n}}
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties
