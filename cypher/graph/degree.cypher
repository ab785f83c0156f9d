// name: degree
// access: read
// params: node node_id declared
// slots: id
// returns: direction type other total loops
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// How many relationships a node has, by direction, type and the type of the node at the other end; loops are those to itself.
// $node is the element id; $node_id, where the node has an id of its own, is checked, since element ids are reused.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
CALL (n) {
  MATCH (n)-[r]->(b)
  WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
    AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
    AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
  RETURN 'out' AS direction, type(r) AS type, CASE WHEN $declared IS NULL THEN labels(b)[0] ELSE coalesce([l IN labels(b) WHERE l IN $declared][0], labels(b)[0]) END AS other, count(r) AS total, sum(CASE WHEN b = n THEN 1 ELSE 0 END) AS loops
  UNION ALL
  MATCH (n)<-[r]-(b)
  WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
    AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
    AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
  RETURN 'in' AS direction, type(r) AS type, CASE WHEN $declared IS NULL THEN labels(b)[0] ELSE coalesce([l IN labels(b) WHERE l IN $declared][0], labels(b)[0]) END AS other, count(r) AS total, 0 AS loops
}
RETURN direction, type, other, total, loops
