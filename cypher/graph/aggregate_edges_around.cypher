// name: aggregate_edges_around
// access: read
// params: node node_id target aggregate limit where
// slots: left type right id where inputs row measures order
// returns: value entities measures
// plan: NodeByElementIdSeek Expand(All) EagerAggregation Top !AllNodesScan !DirectedAllRelationshipsScan
// hits: 100
// internal: hidden
// Groups the visible relationships of a node that meet the conditions, a self-loop once: see aggregate_nodes. $node, $node_id and the
// direction are those of list_edges_around. $target is null, or the element id of the node that the relationships must point to.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n){{left}}[r:{{type}}]{{right}}()
WHERE {{where}}
WITH DISTINCT r
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_type r}} AND ($target IS NULL OR elementId(b) = $target)
  AND {{>visible_node a}}
  AND {{>visible_node b}}
WITH {{inputs}}
WITH {{row}}
WITH value, count(*) AS entities, {{measures}} AS measures
ORDER BY {{order}} LIMIT $limit
RETURN value, entities, measures
