// name: list_nodes_few
// access: read
// params: most where
// slots: type where
// returns: total
// plan: Limit !AllNodesScan
// internal: none - decides how list_nodes_first or list_nodes_scan reads
// How many nodes of a type an index finds for the conditions that it serves, at most $most: few are read and sorted, of many a page is
// soon found by a scan in the database's own order.
MATCH (n:{{type}})
WHERE {{where}}
WITH n LIMIT $most
RETURN count(n) AS total
