// name: nodes_by_element
// access: read
// params: elements
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Nodes by element id; each row carries the place of its element id in $elements. The caller verifies that the node
// still holds the id it was looked up for.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i]
  AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN collect([i, elementId(n), labels(n), properties(n)]) AS rows
