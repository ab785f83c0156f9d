// name: expand_in
// access: read
// params: from node_type most_each most view
// slots: type view
// returns: source edge target
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// hits: 18 per row
// internal: hidden
// Expands the incoming relationships of nodes and returns element ids. It follows at most $most_each relationships of each node, which
// bounds the cost of nodes of a high degree.
UNWIND $from AS source
CALL (source) {
  MATCH (a) WHERE elementId(a) = source
  MATCH (a)<-[r:{{type}}]-(b)
  WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
    AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
    AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
    AND ($node_type IS NULL OR $node_type IN labels(b)) AND {{view}}
  RETURN elementId(r) AS edge, elementId(b) AS target LIMIT $most_each
}
RETURN source, edge, target LIMIT $most
