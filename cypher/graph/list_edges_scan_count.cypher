// name: list_edges_scan_count
// access: read
// params: ends_visible types_visible where
// slots: types where
// returns: total
// plan: !AllNodesScan
// hits: 8 per entity
// internal: hidden
// Counts the visible relationships of the types by scan.
MATCH ()-[r:{{types}}]->()
WHERE {{where}}
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_scanned_edge}}
RETURN count(r) AS total
