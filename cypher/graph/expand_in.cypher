// name: expand_in
// access: read
// params: from node_type most_each most view
// slots: type view
// returns: rows
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// hits: 18 per row
// internal: hidden
// Expands the incoming relationships of nodes: see expand_out.
UNWIND range(0, size($from[0]) - 1) AS i
CALL (i) {
  MATCH (a) WHERE elementId(a) = $from[0][i]
  MATCH (a)<-[r:{{type}}]-(b)
  WHERE {{>visible_edge}}
    AND ($node_type IS NULL OR $node_type IN labels(b)) AND {{view}}
  RETURN elementId(r) AS edge, elementId(b) AS target LIMIT $most_each
}
WITH i, edge, target LIMIT $most
WITH collect([i, edge, target]) AS found
UNWIND range(0, size(found) - 1, 500) AS first
RETURN found[first..first + 500] AS rows
