// name: list_nodes_behind
// access: read
// params: after first declared without_id where limit
// slots: type id internal where
// returns: element labels properties own key
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !Top !AllNodesScan
// hits: 2 per entity
// internal: hidden
// As list_nodes_first, after the node with the number $after, by scan: for types with too few of all nodes for list_nodes_window. The
// function id is deprecated, but costs a tenth of extracting the number from the element id of each skipped node.
CYPHER 5
MATCH (n:{{type}})
WHERE id(n) > $after AND {{where}} AND NOT n:{{internal}} AND (NOT $without_id OR NOT coalesce(n.{{id}} > '', false))
  AND ($first IS NULL OR CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first)
WITH n ORDER BY n LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties, false AS own, elementId(n) AS key
