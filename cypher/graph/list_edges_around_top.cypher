// name: list_edges_around_top
// access: read
// params: node node_id managed_types from skip limit where
// slots: left type right id where start tops top values
// returns: element own id sort_columns
// plan: NodeByElementIdSeek Expand(All) Top !AllNodesScan !DirectedAllRelationshipsScan
// hits: 30
// internal: hidden by list_edges_chosen - it reads the page and excludes internal data; no other result reaches a client
// As list_edges_top, for the relationships of a node: see list_edges_around.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n){{left}}[r:{{type}}]{{right}}()
WHERE {{start}} AND {{where}}
WITH r, {{tops}} ORDER BY {{top}}, r SKIP $skip LIMIT $limit
RETURN elementId(r) AS element, coalesce(type(r) IN $managed_types AND r.{{id}} > '', false) AS own, r.{{id}} AS id, [{{values}}] AS sort_columns
