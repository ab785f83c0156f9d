// name: nodes_by_id
// access: read
// params: ids view
// lists: ids
// slots: types id view content
// returns: part rows
// plan: NodeUniqueIndexSeek !NodeByLabelScan !AllNodesScan
// hits: 9 per row
// internal: hidden
// Finds nodes of some managed types by id; each row has the index of its id in $ids. More than one node may have an id.
// The slot view: see cypher.Found.
UNWIND range(0, size($ids[0]) - 1) AS i
MATCH (n:{{types}}) WHERE n.{{id}} = $ids[0][i]
  AND {{>visible_node n}} AND {{view}}
{{>found_nodes}}
