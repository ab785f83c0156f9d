// name: list_nodes_indexed_count
// access: read
// params: first where
// slots: type id where
// returns: total
// plan: NodeUniqueIndexSeekByRange !NodeByLabelScan !AllNodesScan
// internal: hidden
// How many nodes list_nodes_indexed has in all.
MATCH (n:{{type}})
WHERE n.{{id}} > '' AND ($first IS NULL OR labels(n)[0] = $first)
  AND {{where}} AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN count(n) AS total
