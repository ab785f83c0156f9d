// name: lock_edges
// access: write
// params: elements
// lists: elements end_keys
// slots: id ends
// returns: rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Takes the write locks of several relationships and reads the relationships under them: see lock_nodes.
// The slot ends is as in edges_by_element.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (a)-[r]->(b) WHERE elementId(r) = $elements[0][i]
SET r += {}
WITH i, a, r, b
WHERE {{>visible_edge}}
WITH collect([i, elementId(r), type(r), r {.*}, elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}, {{ends}}]) AS rows
UNWIND range(0, size(rows) - 1, 8) AS first
RETURN rows[first..first + 8] AS rows
