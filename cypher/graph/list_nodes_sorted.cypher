// name: list_nodes_sorted
// access: read
// params: managed where sort after skip limit
// slots: label id internal where values ranks keys after_position order sort_columns
// returns: element labels properties own key sort_columns
// plan: Top !CartesianProduct
// hits: 14 per entity
// internal: hidden
// Reads a page of the nodes with a label, ordered by properties: see cypher.Order. It computes the sort columns of every node
// that meets the conditions; list_nodes_top avoids that where possible.
MATCH (n:{{label}})
WHERE {{where}} AND NOT n:{{internal}}
WITH n, coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, {{values}}
WITH n, own, CASE WHEN own THEN n.{{id}} + '' ELSE '' END AS key, {{ranks}}
WITH n, own, key, {{keys}}
WHERE $after IS NULL OR {{after_position}}
WITH n, own, key, {{sort_columns}} AS sort_columns ORDER BY {{order}}, own DESC, key, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties, own, key, sort_columns
