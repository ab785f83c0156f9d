// name: adopt_edges
// access: write
// params: rows tag
// lists: rows
// slots: type id
// returns: total undone
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedRelationshipTypeScan
// internal: hidden
// As adopt_nodes, for relationships.
OPTIONAL MATCH (run:_GraphrestAdoption {tag: $tag})
SET run += {}
WITH run IS NULL OR run.undone_at IS NOT NULL AS undone
CALL (undone) {
  UNWIND CASE WHEN undone THEN [] ELSE $rows[0] END AS row
  MATCH (a)-[r]->(b) WHERE elementId(r) = row.element
  SET r += {}
  WITH a, r, b, row
  WHERE r:{{type}} AND (r.{{id}} IS NULL OR r.{{id}} = row.id) AND {{>visible_edge}}
  SET r.{{id}} = row.id
  RETURN count(r) AS total
}
RETURN total, undone
