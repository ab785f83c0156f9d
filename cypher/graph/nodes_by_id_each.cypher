// name: nodes_by_id_each
// access: read
// params: ids
// slots: each content
// returns: part rows
// plan: NodeUniqueIndexSeek !NodeByLabelScan !AllNodesScan
// hits: 9 per row
// internal: hidden
// Finds nodes of some managed types by id, each only in its own types: $ids has one list of [index, id] for each type. As in
// nodes_by_id, one record is in memory at a time.
CALL () {
  {{each}}
}
WITH i, n WHERE {{>visible_node n}}
WITH i / 8 AS part, collect([i, n]) AS found
CALL (part, found) {
  UNWIND found AS f
  WITH f[0] AS i, f[1] AS n
  RETURN collect([i, elementId(n), labels(n), {{content}}]) AS rows
}
RETURN part, rows
