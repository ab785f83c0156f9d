// name: lock_edge
// access: write
// params: element
// lists: end_keys
// slots: id ends
// returns: rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Takes a relationship's write lock and reads the relationship under the lock: see lock_node.
// The slot ends is as in edges_by_element.
MATCH (a)-[r]->(b) WHERE elementId(r) = $element
SET r += {}
WITH 0 AS i, a, r, b
WHERE {{>visible_edge}}
RETURN collect([i, elementId(r), type(r), properties(r), elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}, {{ends}}]) AS rows
