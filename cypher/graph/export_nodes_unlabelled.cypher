// name: export_nodes_unlabelled
// access: read
// params: -
// returns: element labels properties
// plan: AllNodesScan !Sort
// internal: none - a node without labels has no internal label
// Returns the nodes without labels, unsorted.
MATCH (n)
WHERE size(labels(n)) = 0
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties
