// name: nodes_by_id
// access: read
// params: ids
// lists: ids
// slots: types id content
// returns: part rows
// plan: NodeUniqueIndexSeek !NodeByLabelScan !AllNodesScan
// hits: 9 per row
// internal: hidden
// Finds nodes of some managed types by id; each row has the index of its id in $ids. More than one node may have an id. The content of
// a record is read when the record is sent, so that the database has one in memory at a time; the slot content: see cypher.AllContent.
UNWIND range(0, size($ids[0]) - 1) AS i
MATCH (n:{{types}}) WHERE n.{{id}} = $ids[0][i]
  AND {{>visible_node n}}
WITH i / 8 AS part, collect([i, n]) AS found
CALL (part, found) {
  UNWIND found AS f
  WITH f[0] AS i, f[1] AS n
  RETURN collect([i, elementId(n), labels(n), {{content}}]) AS rows
}
RETURN part, rows
