// name: node_degrees
// access: read
// params: elements
// lists: elements
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// hits: 5 per row
// internal: hidden
// Returns the degrees of nodes, internal edges included, for a limit on what one transaction deletes. Each costs one db hit.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i] AND {{>visible_node n}}
RETURN collect([i, COUNT { (n)--() }]) AS rows
