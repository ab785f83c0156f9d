// name: refused_edges
// access: read
// params: node view
// slots: view
// returns: refused
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Counts the relationships of a node that a user must not delete together with it: those outside the user's view and grants, which the slot
// view tests. Internal relationships do not count.
MATCH (n) WHERE elementId(n) = $node AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
MATCH (n)-[r]-(m)
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest' AND none(l IN labels(m) WHERE toLower(l) STARTS WITH '_graphrest')
  AND NOT coalesce({{view}}, false)
RETURN count(r) AS refused
