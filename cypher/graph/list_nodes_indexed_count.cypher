// name: list_nodes_indexed_count
// access: read
// params: first where declared
// slots: type id where
// returns: total
// plan: NodeUniqueIndexSeekByRange !NodeByLabelScan !AllNodesScan
// hits: 5 per entity
// internal: hidden
// Counts the nodes that list_nodes_indexed lists.
MATCH (n:{{type}})
WHERE n.{{id}} > '' AND ($first IS NULL OR CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first)
  AND {{where}} AND {{>visible_node n}}
RETURN count(n) AS total
