// name: list_nodes_sought_count
// access: read
// params: where
// slots: label where
// returns: total
// plan: !CartesianProduct
// internal: hidden
// Counts the visible nodes with a label, or all visible nodes, that meet the conditions.
MATCH (n:{{label}})
WHERE {{where}} AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN count(n) AS total
