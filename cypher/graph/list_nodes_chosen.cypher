// name: list_nodes_chosen
// access: read
// params: elements
// lists: elements
// returns: element labels properties
// plan: NodeByElementIdSeek !AllNodesScan
// hits: 8 per row
// internal: hidden
// Reads the nodes that list_nodes_top selected, in their order.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i]
  AND {{>visible_node n}}
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties ORDER BY i
