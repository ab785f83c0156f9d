// name: count_edges_of_node
// access: read
// params: element id limit
// slots: id
// returns: edges
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Counts a node's visible edges, up to a limit. It returns no row if the node does not exist.
MATCH (n) WHERE elementId(n) = $element
  AND ($id IS NULL OR n.{{id}} = $id) AND {{>visible_node n}}
CALL (n) {
  MATCH (n)-[r]-(m) WHERE {{>visible_type r}}
    AND {{>visible_node m}}
  WITH r LIMIT $limit
  RETURN count(r) AS edges
}
RETURN edges
