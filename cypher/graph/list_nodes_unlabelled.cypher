// name: list_nodes_unlabelled
// access: read
// params: after skip limit where
// slots: where
// returns: element labels properties own key
// plan: AllNodesScan Top
// internal: none - a node without labels has no internal label
// A page of the nodes without labels, by element id. No index knows them.
MATCH (n)
WHERE size(labels(n)) = 0 AND {{where}}
WITH n, elementId(n) AS key
WHERE key > $after
WITH n, key ORDER BY key SKIP $skip LIMIT $limit
RETURN key AS element, labels(n) AS labels, properties(n) AS properties, false AS own, key
