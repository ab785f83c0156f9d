// name: list_nodes_top
// access: read
// params: managed from skip limit where
// slots: label id internal where start tops top values
// returns: element own id place
// plan: Top/PartialTop !CartesianProduct
// internal: hidden by list_nodes_chosen - it reads the page and leaves out what this statement did not know yet
// The first $limit nodes with a label, or of all, in the order of properties, by ORDER BY alone: see cypher.Top. Only what their order is
// told by is read; list_nodes_chosen reads the page.
MATCH (n:{{label}})
WHERE {{start}} AND {{where}} AND NOT n:{{internal}}
WITH n, {{tops}} ORDER BY {{top}}, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, coalesce(n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own, n.{{id}} AS id,
       [{{values}}] AS place
