// name: adopt_nodes
// access: write
// params: rows tag
// lists: rows
// slots: type id
// returns: total undone
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Assigns ids to nodes; each row is {element, id}. SET n += {} takes the write lock and changes nothing. Only then are the label and the
// missing id checked, so that of two concurrent runs of adopt one is a no-op for the node. A node that has the row's id counts again: the
// reply to an earlier attempt was lost. The run's own record is locked first: once undo has marked or removed it, the run assigns nothing.
OPTIONAL MATCH (run:_GraphrestAdoption {tag: $tag})
SET run += {}
WITH run IS NULL OR run.undone_at IS NOT NULL AS undone
CALL (undone) {
  UNWIND CASE WHEN undone THEN [] ELSE $rows[0] END AS row
  MATCH (n) WHERE elementId(n) = row.element
  SET n += {}
  WITH n, row
  WHERE n:{{type}} AND (n.{{id}} IS NULL OR n.{{id}} = row.id) AND {{>visible_node n}}
  SET n.{{id}} = row.id
  RETURN count(n) AS total
}
RETURN total, undone
