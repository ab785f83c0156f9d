// name: list_nodes_top
// access: read
// params: managed from skip limit where
// slots: label id internal where start tops top values
// returns: element own id sort_columns
// plan: Top/PartialTop !CartesianProduct
// hits: 6 per entity
// internal: hidden by list_nodes_chosen - it reads the page and excludes internal data that this statement does not know yet
// Returns the first $limit nodes with a label, or of all, ordered by properties with ORDER BY alone: see cypher.Top. It reads only what
// determines the order; list_nodes_chosen reads the page.
MATCH (n:{{label}})
WHERE {{start}} AND {{where}} AND NOT n:{{internal}}
WITH n, {{tops}} ORDER BY {{top}}, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, n.{{id}} AS id,
       [{{values}}] AS sort_columns
