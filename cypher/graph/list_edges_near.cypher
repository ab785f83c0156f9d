// name: list_edges_near
// access: read
// params: managed_types from window limit where
// slots: type id where start first tops top values
// returns: element own id sort_columns
// plan: PartialTop Limit !Top !Sort !CartesianProduct
// hits: 12 per row
// internal: hidden by list_edges_chosen - it reads the page and excludes internal data; no other result reaches a client
// As list_nodes_near, for relationships: see list_edges_top.
MATCH ()-[r:{{type}}]->()
WHERE {{start}}
WITH r ORDER BY {{first}} LIMIT $window
WITH r WHERE {{where}}
WITH r LIMIT $limit
WITH count(r) AS near WHERE near >= $limit
MATCH ()-[r:{{type}}]->()
WHERE {{start}}
WITH r ORDER BY {{first}}
WITH r WHERE {{where}}
WITH r, {{tops}} ORDER BY {{top}}, r LIMIT $limit
RETURN elementId(r) AS element, coalesce(type(r) IN $managed_types AND r.{{id}} > '', false) AS own, r.{{id}} AS id, [{{values}}] AS sort_columns
