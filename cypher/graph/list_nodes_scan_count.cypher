// name: list_nodes_scan_count
// access: read
// params: ranks where declared
// slots: labels where
// returns: total
// plan: !AllNodesScan
// internal: hidden
// Counts the nodes that list_nodes_scan lists.
MATCH (n:{{labels}})
WHERE ($ranks IS NULL OR $ranks[CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END] IS NOT NULL)
  AND {{where}} AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN count(n) AS total
