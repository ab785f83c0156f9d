// name: list_nodes_sorted_all
// access: read
// params: managed where sort after skip limit
// slots: of id where values ranks keys after_position order sort_columns
// returns: element labels properties own key sort_columns
// plan: Top !CartesianProduct
// hits: 160000
// internal: hidden
// As list_nodes_sorted, for nodes of several labels or of all: see list_nodes_top_all (and for the bound).
MATCH (n{{of}})
WHERE {{where}}
WITH n, labels(n) AS names
WHERE {{>visible_labels names}}
WITH n, coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN names WHERE l IN $managed), false) AS own, {{values}}
WITH n, own, CASE WHEN own THEN n.{{id}} + '' ELSE '' END AS key, {{ranks}}
WITH n, own, key, {{keys}}
WHERE $after IS NULL OR {{after_position}}
WITH n, own, key, {{sort_columns}} AS sort_columns ORDER BY {{order}}, own DESC, key, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties, own, key, sort_columns
