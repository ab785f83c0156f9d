// name: delete_nodes
// access: write
// params: rows audit
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Deletes of nodes, each {element, id, most}: a node with more than most visible edges stays (most null: any number). A
// row says whether the node was deleted and how many visible edges it had. One after another, so that an edge between two
// nodes of one batch goes with the first.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
CALL (row) {
  MATCH (n) WHERE elementId(n) = row.element
  REMOVE n._GraphrestLock
  WITH row, n
  WHERE (row.id IS NULL OR n.{{id}} = row.id) AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
  WITH row, n, COUNT {
    (n)-[r]-(m) WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
      AND none(l IN labels(m) WHERE toLower(l) STARTS WITH '_graphrest')
  } AS edges
  WITH n, edges, coalesce(labels(n)[0], '') AS type, row.most IS NULL OR edges <= row.most AS deleted
  FOREACH (gone IN CASE WHEN deleted THEN [n] ELSE [] END | DETACH DELETE gone)
  RETURN deleted, edges, type
}
WITH collect([i, deleted, edges]) AS rows, collect(CASE WHEN deleted THEN [i, type] END) AS done
{{>audit}}
RETURN rows
