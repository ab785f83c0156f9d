// name: adopt_undo_nodes
// access: write
// params: tag after limit
// slots: type id
// returns: total last
// plan: !AllNodesScan
// internal: hidden
// Removes the ids that one run of adopt assigned, which end with its tag: $limit of them per run of the statement, after $after.
MATCH (n:{{type}})
WHERE n.{{id}} > $after AND n.{{id}} ENDS WITH $tag AND {{>visible_node n}}
WITH n, n.{{id}} AS id ORDER BY n.{{id}} LIMIT $limit
SET n += {}
WITH n, id, n.{{id}} = id AS same
FOREACH (_ IN CASE WHEN same THEN [1] ELSE [] END | REMOVE n.{{id}})
RETURN count(*) AS total, max(id) AS last
