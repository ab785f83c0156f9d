// name: edges_by_id_each
// access: read
// params: ids
// lists: end_keys
// slots: each id ends content
// returns: part rows
// plan: DirectedRelationshipUniqueIndexSeek !DirectedRelationshipTypeScan !AllNodesScan
// hits: 16 per row
// internal: hidden
// Finds relationships of some managed types by id: see nodes_by_id_each.
CALL () {
  {{each}}
}
WITH i, a, r, b WHERE {{>visible_edge}}
{{>found_edges}}
