// name: delete_edges_of_node
// access: write
// params: element id limit named managed audit line rest journal change
// lists: managed
// slots: id
// returns: before deleted left
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Deletes at most $limit visible edges of a node and returns its degree before, the number of deleted edges, and its degree after. It
// returns no row if the node does not exist. The first $named edges each have a line in the audit ($line, id and type, as in delete_nodes);
// the others are counted ($rest).
MATCH (n) WHERE elementId(n) = $element
SET n += {}
WITH n
WHERE ($id IS NULL OR n.{{id}} = $id) AND {{>visible_node n}}
WITH n, COUNT { (n)--() } AS before
CALL (n) {
  MATCH (n)-[r]-(m) WHERE {{>visible_type r}}
    AND {{>visible_node m}}
  WITH n, r LIMIT $limit
  WITH n, collect(r) AS removed, $change AS change, $journal AS journal
{{>removed_edges}}
  WITH removed
  UNWIND removed AS r
  WITH r, CASE WHEN $named > 0 THEN $line + replace(
    CASE WHEN type(r) IN $managed[0] AND r.{{id}} IS :: STRING NOT NULL THEN r.{{id}} ELSE elementId(r) END, '\t', ' ') + '\t\t' + type(r) END AS line
  DELETE r
  RETURN count(*) AS deleted, collect(line)[..$named] AS lines
}
FOREACH (a IN CASE WHEN $audit IS NULL OR deleted = 0 THEN [] ELSE [$audit] END |
  CREATE (:_GraphrestAudit {
    at: timestamp(), action: a.action, kind: 'edge', outcome: 'done', changes: deleted,
    lines: lines + CASE WHEN deleted > size(lines) THEN [$rest] ELSE [] END,
    rest: CASE WHEN deleted > size(lines) THEN deleted - size(lines) END
  }))
RETURN before, deleted, COUNT { (n)--() } AS left
