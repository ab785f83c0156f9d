// name: list_nodes_unlabelled_window
// access: read
// params: prefix from to limit where
// slots: where
// returns: element labels properties own key
// plan: NodeByElementIdSeek !AllNodesScan !Top
// internal: none - a node without labels has no internal label
// As list_nodes_unlabelled, for the nodes with the numbers $from to $to: see list_nodes_window.
UNWIND range($from, $to) AS number
WITH number ORDER BY number
MATCH (n)
WHERE elementId(n) = $prefix + toString(number) AND size(labels(n)) = 0 AND {{where}}
WITH n, number ORDER BY number LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties, false AS own, elementId(n) AS key
