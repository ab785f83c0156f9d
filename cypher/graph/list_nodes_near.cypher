// name: list_nodes_near
// access: read
// params: managed entities from window limit where
// slots: label id internal where start first tops top values
// returns: element own id sort_columns labels properties
// plan: PartialTop Limit !Top !Sort !CartesianProduct
// hits: 20 per row
// internal: hidden
// As list_nodes_top in the order of an index, if $limit of its next $window nodes meet the conditions. Otherwise it returns nothing: few
// nodes meet them, and one scan finds the page sooner than the rest of the index.
// The conditions are separate from the order, since the planner would otherwise find what meets them by other indexes, all of it.
MATCH (n:{{label}})
WHERE {{start}}
WITH n ORDER BY {{first}} LIMIT $window
WITH n WHERE {{where}} AND NOT n:{{internal}}
WITH n LIMIT $limit
WITH count(n) AS near WHERE near >= $limit
MATCH (n:{{label}})
WHERE {{start}}
WITH n ORDER BY {{first}}
WITH n WHERE {{where}} AND NOT n:{{internal}}
WITH n, {{tops}} ORDER BY {{top}}, n LIMIT $limit
RETURN elementId(n) AS element, coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, n.{{id}} AS id,
       [{{values}}] AS sort_columns,
       CASE WHEN $entities THEN labels(n) ELSE [] END AS labels, CASE WHEN $entities THEN n {.*} END AS properties
