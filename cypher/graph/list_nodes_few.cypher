// name: list_nodes_few
// access: read
// params: max_rows where
// slots: type where
// returns: total
// plan: Limit !AllNodesScan
// hits: 1 per entity
// internal: none - decides how list_nodes_first or list_nodes_scan reads
// Counts the nodes of a type that an index finds for the conditions that it serves, at most $max_rows. Few are read and sorted; of many, a
// scan in the database's own order soon finds a page.
MATCH (n:{{type}})
WHERE {{where}}
WITH n LIMIT $max_rows
RETURN count(n) AS total
