// name: edges_by_id
// access: read
// params: ids
// lists: ids end_keys
// slots: types id ends content
// returns: part rows
// plan: DirectedRelationshipUniqueIndexSeek !DirectedRelationshipTypeScan !AllNodesScan
// hits: 17 per row
// internal: hidden
// Finds relationships of some managed types by id: see nodes_by_id.
UNWIND range(0, size($ids[0]) - 1) AS i
MATCH (a)-[r:{{types}}]->(b) WHERE r.{{id}} = $ids[0][i]
  AND {{>visible_edge}}
{{>found_edges}}
