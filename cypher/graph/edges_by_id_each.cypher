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
WITH i / 8 AS part, collect([i, a, r, b]) AS found
CALL (part, found) {
  UNWIND found AS f
  WITH f[0] AS i, f[1] AS a, f[2] AS r, f[3] AS b
  RETURN collect([i, elementId(r), type(r), {{content}}, elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}, {{ends}}]) AS rows
}
RETURN part, rows
