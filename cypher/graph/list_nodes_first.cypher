// name: list_nodes_first
// access: read
// params: first declared without_id where skip limit
// slots: type id internal where
// returns: element labels properties own key
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !Top !AllNodesScan
// hits: 10 per row
// internal: hidden
// Reads the first page of a type's nodes in the database's own order, which a label scan returns without sorting. $first: see
// list_nodes_indexed. With $without_id it returns only the nodes without their own id; those with one come first, by list_nodes_indexed.
MATCH (n:{{type}})
WHERE {{where}} AND NOT n:{{internal}} AND (NOT $without_id OR NOT coalesce(n.{{id}} > '', false))
  AND ($first IS NULL OR CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first)
WITH n ORDER BY n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties, false AS own, elementId(n) AS key
