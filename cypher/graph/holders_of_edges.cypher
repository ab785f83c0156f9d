// name: holders_of_edges
// access: read
// params: rows
// lists: rows
// slots: type held
// returns: rows
// plan: DirectedRelationshipUniqueIndexSeek !DirectedRelationshipTypeScan !DirectedAllRelationshipsScan
// internal: hidden
// As holders_of_nodes, for relationships.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MATCH (a)-[r:{{type}}]->(b) WHERE {{held}}
  AND {{>visible_edge}}
RETURN collect([i, elementId(r)]) AS rows
