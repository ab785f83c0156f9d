// name: list_edges_ids_behind
// access: read
// params: after window
// slots: type id
// returns: more
// plan: DirectedRelationshipUniqueIndexSeekByRange !Sort !Top !DirectedRelationshipTypeScan !AllNodesScan
// hits: 1 per entity
// internal: none - reports whether list_edges_within has passed all ids of a type
// As list_nodes_ids_behind, for relationships.
MATCH ()-[r:{{type}}]->()
WHERE r.{{id}} > $after
WITH r ORDER BY r.{{id}} SKIP $window LIMIT 1
RETURN count(r) > 0 AS more
