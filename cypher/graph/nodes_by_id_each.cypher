// name: nodes_by_id_each
// access: read
// params: ids
// slots: each
// returns: part rows
// plan: NodeUniqueIndexSeek !NodeByLabelScan !AllNodesScan
// hits: 9 per row
// internal: hidden
// Nodes of some managed types by id, each looked for in its own types only: $ids holds a list for each type, of [place, id].
CALL () {
  {{each}}
}
WITH i, n WHERE none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN i / 8 AS part, collect([i, elementId(n), labels(n), properties(n)]) AS rows
