// name: edges_by_element
// access: read
// params: elements rows_per_part
// lists: elements end_keys
// slots: id ends content
// returns: part rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// hits: 14 per row
// internal: hidden
// Reads relationships by element id, with what is needed to determine the ids of their ends: see nodes_by_element.
// The ends are taken from the relationship: with conditions on the ends in the pattern, a plan made on an empty database scans all
// relationships for each element id, and stays in the plan cache.
UNWIND range(0, (size($elements[0]) - 1) / $rows_per_part) AS part
CALL (part) {
  UNWIND range(part * $rows_per_part, (part + 1) * $rows_per_part - 1) AS i
  MATCH ()-[r]->() WHERE elementId(r) = $elements[0][i]
  WITH i, r, startNode(r) AS a, endNode(r) AS b
  WHERE {{>visible_edge}}
  RETURN collect([i, elementId(r), type(r), {{content}}, elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}, {{ends}}]) AS rows
}
RETURN part, rows
