// name: nodes_by_element
// access: read
// params: elements rows_per_part view
// lists: elements
// slots: view content
// returns: part rows
// plan: NodeByElementIdSeek !AllNodesScan
// hits: 8 per row
// internal: hidden
// Reads nodes by element id; each row has the index of its element id in $elements. The caller verifies that the node still has the id by
// which it was looked up. A record contains the rows of $rows_per_part element ids: see neo4jentity.RowsPerPart. The database has one record
// in memory at a time, since each is read when it is sent. The slot content: see cypher.AllContent.
// The slot view: see cypher.Found.
UNWIND range(0, (size($elements[0]) - 1) / $rows_per_part) AS part
CALL (part) {
  UNWIND range(part * $rows_per_part, (part + 1) * $rows_per_part - 1) AS i
  MATCH (n) WHERE elementId(n) = $elements[0][i]
    AND {{>visible_node n}} AND {{view}}
  RETURN collect([i, elementId(n), labels(n), {{content}}]) AS rows
}
RETURN part, rows
