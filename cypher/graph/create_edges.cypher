// name: create_edges
// access: write
// params: rows audit journal
// lists: rows
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Creates relationships; each row is {type, properties, source, source_id, target, target_id} with the ends' element ids and the ids that
// they must still have (null for none). A result row has the relationship's element id (null: not created) and whether each end was found.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
OPTIONAL MATCH (a) WHERE elementId(a) = row.source
  AND (row.source_id IS NULL OR a.{{id}} = row.source_id) AND {{>visible_node a}}
OPTIONAL MATCH (b) WHERE elementId(b) = row.target
  AND (row.target_id IS NULL OR b.{{id}} = row.target_id) AND {{>visible_node b}}
CALL (row, a, b) {
  WITH row, a, b, $journal AS journal WHERE a IS NOT NULL AND b IS NOT NULL
  CREATE (a)-[r:$(row.type)]->(b)
  SET r = row.properties
{{>edge_change}}
  RETURN collect(elementId(r))[0] AS created
}
WITH collect([i, created, a IS NOT NULL, b IS NOT NULL]) AS rows, collect(CASE WHEN created IS NOT NULL THEN [i, row.type] END) AS done
{{>audit}}
RETURN rows
