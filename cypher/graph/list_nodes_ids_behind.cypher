// name: list_nodes_ids_behind
// access: read
// params: after window
// slots: type id
// returns: more
// plan: NodeUniqueIndexSeekByRange !Sort !Top !NodeByLabelScan !AllNodesScan
// hits: 1 per entity
// internal: none - reports whether list_nodes_within has passed all ids of a type
// Says whether a managed type has more than $window ids behind $after.
MATCH (n:{{type}})
WHERE n.{{id}} > $after
WITH n ORDER BY n.{{id}} SKIP $window LIMIT 1
RETURN count(n) > 0 AS more
