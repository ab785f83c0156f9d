// name: list_edges_scan_count
// access: read
// params: where
// slots: types where
// returns: total
// plan: !AllNodesScan
// hits: 8 per entity
// internal: hidden
// Counts the visible relationships of the types by scan.
MATCH ()-[r:{{types}}]->()
WHERE {{where}}
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN count(r) AS total
