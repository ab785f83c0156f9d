// name: list_nodes_top_all
// access: read
// params: managed entities from skip limit where
// slots: of id where start tops top values
// returns: element own id sort_columns labels properties
// plan: Top/PartialTop !CartesianProduct
// hits: 80000
// internal: hidden
// As list_nodes_top, for nodes of several labels or of all, whose labels are read after the conditions: see list_nodes_sought_count. The
// planner excludes internal labels from the scan of one label; here it would test them one by one on every node
// (the bound is that of 20,000 nodes).
MATCH (n{{of}})
WHERE {{start}} AND {{where}}
WITH n, labels(n) AS names
WHERE {{>visible_labels names}}
WITH n, {{tops}} ORDER BY {{top}}, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, n.{{id}} AS id,
       [{{values}}] AS sort_columns,
       CASE WHEN $entities THEN labels(n) ELSE [] END AS labels, CASE WHEN $entities THEN n {.*} END AS properties
