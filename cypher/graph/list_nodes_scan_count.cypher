// name: list_nodes_scan_count
// access: read
// params: ranks where declared
// slots: labels where
// returns: total
// plan: !AllNodesScan
// hits: 5 per entity
// internal: hidden
// Counts the nodes that list_nodes_scan lists. The labels are read after the conditions: see list_nodes_sought_count.
MATCH (n:{{labels}})
WHERE {{where}}
WITH n, labels(n) AS names
WHERE ($ranks IS NULL OR $ranks[CASE WHEN $declared IS NULL THEN names[0] ELSE coalesce([l IN names WHERE l IN $declared][0], names[0]) END] IS NOT NULL)
  AND {{>visible_labels names}}
RETURN count(n) AS total
