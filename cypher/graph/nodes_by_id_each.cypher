// name: nodes_by_id_each
// access: read
// params: ids
// slots: each content
// returns: part rows
// plan: NodeUniqueIndexSeek !NodeByLabelScan !AllNodesScan
// hits: 9 per row
// internal: hidden
// Finds nodes of some managed types by id, each only in its own types: $ids has one list of [index, id] for each type.
CALL () {
  {{each}}
}
WITH i, n WHERE {{>visible_node n}}
{{>found_nodes}}
