// name: list_nodes_sorted
// access: read
// params: managed where sort after skip limit
// slots: label id where values ranks keys behind order place
// returns: element labels properties own key place
// plan: Top !CartesianProduct
// internal: hidden
// A page of the nodes with a label, or of all, in the order of properties: see cypher.Order. Nothing has this order ready, so
// all nodes that the conditions leave are looked at.
MATCH (n:{{label}})
WHERE {{where}} AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
WITH n, coalesce(n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, {{values}}
WITH n, own, CASE WHEN own THEN n.{{id}} + '' ELSE elementId(n) END AS key, elementId(n) AS element, {{ranks}}
WITH n, own, key, element, {{keys}}
WHERE $after IS NULL OR {{behind}}
WITH n, own, key, element, {{place}} AS place ORDER BY {{order}}, key, element SKIP $skip LIMIT $limit
RETURN element, labels(n) AS labels, properties(n) AS properties, own, key, place
