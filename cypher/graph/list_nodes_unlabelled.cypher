// name: list_nodes_unlabelled
// access: read
// params: after skip limit where
// slots: where
// returns: element labels properties own key
// plan: AllNodesScan Top
// hits: 4 per entity
// internal: none - a node without labels has no internal label
// Reads a page of the nodes without labels after the node with the number $after, in the database's own order. No index covers them.
CYPHER 5
MATCH (n)
WHERE size(labels(n)) = 0 AND id(n) > $after AND {{where}}
WITH n ORDER BY n SKIP $skip LIMIT $limit
{{>scanned_nodes}}
