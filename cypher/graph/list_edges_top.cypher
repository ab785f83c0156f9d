// name: list_edges_top
// access: read
// params: managed_types from skip limit where
// slots: type id where start tops top values
// returns: element own id sort_columns
// plan: Top/PartialTop !CartesianProduct
// hits: 6 per entity
// internal: hidden by list_edges_chosen - it reads the page and excludes internal data; no other result reaches a client
// As list_nodes_top, for relationships. It does not exclude internal data: testing both ends of every relationship would cost more than the
// sort.
MATCH ()-[r:{{type}}]->()
WHERE {{start}} AND {{where}}
WITH r, {{tops}} ORDER BY {{top}}, r SKIP $skip LIMIT $limit
RETURN elementId(r) AS element, coalesce(type(r) IN $managed_types AND r.{{id}} > '', false) AS own, r.{{id}} AS id, [{{values}}] AS sort_columns
