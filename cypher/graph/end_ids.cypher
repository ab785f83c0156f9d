// name: end_ids
// access: read
// params: elements
// lists: elements
// slots: id
// returns: element labels own
// plan: NodeByElementIdSeek !AllNodesScan
// hits: 8 per row
// internal: hidden
// Reads what determines the ids of nodes, by element id: of the ends of edges that are in an answer without them.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i]
  AND {{>visible_node n}}
RETURN elementId(n) AS element, labels(n) AS labels, n.{{id}} AS own
