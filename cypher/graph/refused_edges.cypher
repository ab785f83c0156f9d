// name: refused_edges
// access: read
// params: elements view
// lists: elements
// slots: view
// returns: rows
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Counts the relationships of nodes that a user must not delete together with them: those outside the user's view and grants, which the
// slot view tests. Internal relationships do not count. A node without any has no row.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i] AND {{>visible_node n}}
MATCH (n)-[r]-(m)
WHERE {{>visible_type r}} AND {{>visible_node m}}
  AND NOT coalesce({{view}}, false)
WITH i, count(r) AS refused
RETURN collect([i, refused]) AS rows
