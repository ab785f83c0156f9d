// name: degree
// access: read
// params: node node_id view
// slots: left right id view
// returns: type labels total loops
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// hits: 30
// internal: hidden by the caller - the rows have the types and the labels of the other ends, which the caller needs anyway; the node itself is tested
// Counts a node's relationships in one direction, given by the slots left and right, by type and by the labels of the node at the other
// end; loops counts the self-loops.
// $node is the element id. $node_id, if the node has its own id, is checked, because element ids are reused.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
  AND {{>visible_node n}}
MATCH (n){{left}}[r]{{right}}(b)
WHERE {{view}}
RETURN type(r) AS type, labels(b) AS labels, count(*) AS total, count(CASE WHEN b = n THEN 1 END) AS loops
