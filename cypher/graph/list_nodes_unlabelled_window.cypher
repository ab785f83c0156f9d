// name: list_nodes_unlabelled_window
// access: read
// params: from to limit where
// slots: where
// returns: element labels properties own key
// plan: NodeByIdSeek Top !AllNodesScan
// hits: 12 per row
// internal: none - a node without labels has no internal label
// As list_nodes_unlabelled, for the nodes with the numbers $from to $to: see list_nodes_window.
CYPHER 5
MATCH (n)
WHERE id(n) IN range($from, $to) AND size(labels(n)) = 0 AND {{where}}
WITH n ORDER BY n LIMIT $limit
{{>scanned_nodes}}
