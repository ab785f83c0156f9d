// name: delete_nodes
// access: write
// params: rows managed audit journal
// lists: rows managed
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Deletes nodes; each row is {element, id, max_edges, large, edge_line}. A node of a degree above large is not deleted; its result has its
// degree, and null for deleted: its edges are deleted first, see delete_edges_of_node. Reading a degree costs one db hit. A node with more
// than max_edges visible edges is not deleted (null: any number). A result row reports whether the node was deleted and how many visible edges
// it had. Rows are processed one after another, so that an edge between two nodes of one batch is deleted with the first. Each edge has a
// line in the audit: edge_line with its id by the rules of the API ($managed are the types whose edges have their own ids) and its type.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
CALL (row) {
  MATCH (n) WHERE elementId(n) = row.element
  SET n += {}
  WITH row, n
  WHERE (row.id IS NULL OR n.{{id}} = row.id) AND {{>visible_node n}}
  WITH row, n, COUNT { (n)--() } AS degree
  CALL (row, n, degree) {
    WITH row, n WHERE degree <= row.large
    MATCH (n)-[r]-(m) WHERE {{>visible_type r}}
      AND {{>visible_node m}}
    RETURN count(r) AS edges, collect(CASE WHEN $audit IS NOT NULL THEN row.edge_line + replace(
      CASE WHEN type(r) IN $managed[0] AND r.{{id}} IS :: STRING NOT NULL THEN r.{{id}} ELSE elementId(r) END, '\t', ' ') + '\t\t' + type(r) END) AS lines,
      collect(CASE WHEN $journal IS NOT NULL THEN r END) AS removed
  }
  WITH row, row.change AS change, n, degree, edges, lines, removed, coalesce(labels(n)[0], '') AS type,
    CASE WHEN degree <= row.large THEN row.max_edges IS NULL OR edges <= row.max_edges END AS deleted
  WITH *, CASE WHEN deleted THEN $journal END AS journal
{{>removed_edges}}
{{>node_change}}
  FOREACH (gone IN CASE WHEN deleted THEN [n] ELSE [] END | DETACH DELETE gone)
  FOREACH (a IN CASE WHEN deleted AND size(lines) > 0 THEN [$audit] ELSE [] END |
    CREATE (:_GraphrestAudit {at: timestamp(), action: a.action, kind: 'edge', outcome: 'done', changes: edges, lines: lines}))
  RETURN deleted, CASE WHEN deleted IS NULL THEN degree ELSE edges END AS edges, type
}
WITH collect([i, deleted, edges]) AS rows, collect(CASE WHEN deleted THEN [i, type] END) AS done
{{>audit}}
RETURN rows
