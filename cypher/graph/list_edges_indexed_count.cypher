// name: list_edges_indexed_count
// access: read
// params: where
// slots: type id where
// returns: total
// plan: DirectedRelationshipUniqueIndexSeekByRange !DirectedRelationshipTypeScan !AllNodesScan
// hits: 8 per entity
// internal: hidden
// Counts the relationships that list_edges_indexed lists.
MATCH ()-[r:{{type}}]->()
WHERE r.{{id}} > '' AND {{where}}
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
RETURN count(r) AS total
