// name: list_edges_few
// access: read
// params: max_rows where
// slots: type where
// returns: total
// plan: Limit !AllNodesScan
// hits: 1 per entity
// internal: none - decides how list_edges_first or list_edges_scan reads
// As list_nodes_few, for relationships.
MATCH ()-[r:{{type}}]->()
WHERE {{where}}
WITH r LIMIT $max_rows
RETURN count(r) AS total
