// name: delete_edges
// access: write
// params: rows audit journal
// lists: rows
// slots: id
// returns: rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Deletes relationships; each row is {element, id}. A row without a result was not found.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
CALL (row) {
  MATCH (a)-[r]->(b) WHERE elementId(r) = row.element
  SET r += {}
  WITH row, a, r, b
  WHERE (row.id IS NULL OR r.{{id}} = row.id)
    AND {{>visible_edge}}
  WITH row, a, r, b, type(r) AS type, $journal AS journal
{{>edge_change}}
  DELETE r
  RETURN true AS deleted, type
}
WITH collect([i, deleted, 0]) AS rows, collect([i, type]) AS done
{{>audit}}
RETURN rows
