// name: expand
// access: read
// params: from node_type max_degree max_edges view
// lists: from
// slots: left type right view limit
// returns: rows
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// hits: 9 per row
// internal: hidden
// Expands the relationships of nodes in one direction, given by the slots left and right, or in both, and returns element ids, with the
// index of the node in $from. It follows at most $max_degree relationships of each node, which bounds the cost of nodes of a high degree;
// the slot limit is cypher.Limit. A record contains up to 500 rows.
UNWIND range(0, size($from[0]) - 1) AS i
CALL (i) {
  MATCH (a) WHERE elementId(a) = $from[0][i]
  MATCH (a){{left}}[r:{{type}}]{{right}}(b)
  WHERE {{>visible_edge}}
    AND ($node_type IS NULL OR $node_type IN labels(b)) AND {{view}}
  RETURN elementId(r) AS edge, elementId(b) AS target {{limit}} $max_degree
}
WITH i, edge, target LIMIT $max_edges
WITH collect([i, edge, target]) AS found
UNWIND range(0, size(found) - 1, 500) AS first
RETURN found[first..first + 500] AS rows
