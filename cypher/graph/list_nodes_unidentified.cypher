// name: list_nodes_unidentified
// access: read
// params: first after skip limit where declared
// slots: type id where
// returns: element labels properties own key
// plan: NodeByLabelScan Top !AllNodesScan
// internal: hidden
// A page of a managed type's nodes whose id property is missing, empty or not a string, by element id.
MATCH (n:{{type}})
WHERE NOT coalesce(n.{{id}} > '', false) AND ($first IS NULL OR CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first)
  AND {{where}} AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
WITH n, elementId(n) AS key
WHERE key > $after
WITH n, key ORDER BY key SKIP $skip LIMIT $limit
RETURN key AS element, labels(n) AS labels, properties(n) AS properties, false AS own, key
