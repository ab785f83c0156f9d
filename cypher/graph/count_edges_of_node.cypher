// name: count_edges_of_node
// access: read
// params: element id limit
// slots: id
// returns: edges
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Counts a node's visible edges, up to a limit. It returns no row if the node does not exist.
MATCH (n) WHERE elementId(n) = $element
  AND ($id IS NULL OR n.{{id}} = $id) AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
CALL (n) {
  MATCH (n)-[r]-(m) WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
    AND none(l IN labels(m) WHERE toLower(l) STARTS WITH '_graphrest')
  WITH r LIMIT $limit
  RETURN count(r) AS edges
}
RETURN edges
