// name: edges_of_nodes
// access: read
// params: elements limit
// lists: elements
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// The visible edges of nodes, which a delete of these would take along: the first $limit of all, each as the index of the node, its element
// id, its type and its id property. A self-loop is one edge.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i] AND {{>visible_node n}}
CALL (n) {
  MATCH (n)-[r]-(m) WHERE {{>visible_type r}} AND {{>visible_node m}}
  RETURN r
}
WITH i, r LIMIT $limit
RETURN collect([i, elementId(r), type(r), r.{{id}}]) AS rows
