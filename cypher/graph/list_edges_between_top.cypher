// name: list_edges_between_top
// access: read
// params: source source_id target target_id managed_types from skip limit where
// slots: type id where start tops top values
// returns: element own id sort_columns
// plan: NodeByElementIdSeek Expand(Into) Top !AllNodesScan !DirectedAllRelationshipsScan
// hits: 30
// internal: hidden by list_edges_chosen - it reads the page and excludes internal data; no other result reaches a client
// As list_edges_top, for the relationships from one node to another: see list_edges_between.
{{>source_and_target}}
MATCH (s)-[r:{{type}}]->(t)
WHERE {{start}} AND {{where}}
WITH r, {{tops}} ORDER BY {{top}}, r SKIP $skip LIMIT $limit
RETURN elementId(r) AS element, coalesce(type(r) IN $managed_types AND r.{{id}} > '', false) AS own, r.{{id}} AS id, [{{values}}] AS sort_columns
