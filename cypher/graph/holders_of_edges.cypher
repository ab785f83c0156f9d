// name: holders_of_edges
// access: read
// params: rows
// lists: rows
// slots: type held
// returns: rows
// plan: DirectedRelationshipUniqueIndexSeek !DirectedRelationshipTypeScan !DirectedAllRelationshipsScan
// hits: 9 per row
// internal: hidden
// As holders_of_nodes, for relationships.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MATCH ()-[r:{{type}}]->() WHERE {{held}} AND {{>visible_type r}}
RETURN collect([i, elementId(r)]) AS rows
