// name: list_nodes_top
// access: read
// params: managed entities from skip limit where
// slots: label id internal where start tops top values
// returns: element own id sort_columns labels properties
// plan: Top/PartialTop !CartesianProduct
// hits: 6 per entity
// internal: hidden
// Returns the first $limit nodes with a label, ordered by properties with ORDER BY alone: see cypher.Top. For every node
// it reads only what determines the order. With $entities it returns the nodes themselves as well; otherwise list_nodes_chosen reads them.
MATCH (n:{{label}})
WHERE {{start}} AND {{where}} AND NOT n:{{internal}}
WITH n, {{tops}} ORDER BY {{top}}, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, n.{{id}} AS id,
       [{{values}}] AS sort_columns,
       CASE WHEN $entities THEN labels(n) ELSE [] END AS labels, CASE WHEN $entities THEN n {.*} END AS properties
