// name: adopt_undo_edges
// access: write
// params: tag after limit
// slots: type id
// returns: total last
// plan: !AllNodesScan
// internal: hidden
// As adopt_undo_nodes, for relationships.
MATCH ()-[r:{{type}}]->()
WHERE r.{{id}} > $after AND r.{{id}} ENDS WITH $tag
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
WITH r, r.{{id}} AS id ORDER BY r.{{id}} LIMIT $limit
SET r += {}
WITH r, id, r.{{id}} = id AS same
FOREACH (_ IN CASE WHEN same THEN [1] ELSE [] END | REMOVE r.{{id}})
RETURN count(*) AS total, max(id) AS last
