// name: edges_by_id_each
// access: read
// params: ids
// lists: end_keys
// slots: each id ends
// returns: part rows
// plan: DirectedRelationshipUniqueIndexSeek !DirectedRelationshipTypeScan !AllNodesScan
// hits: 16 per row
// internal: hidden
// Finds relationships of some managed types by id: see nodes_by_id_each.
CALL () {
  {{each}}
}
WITH i, a, r, b WHERE {{>visible_edge}}
RETURN i / 8 AS part, collect([i, elementId(r), type(r), properties(r), elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}, {{ends}}]) AS rows
