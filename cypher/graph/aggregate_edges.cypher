// name: aggregate_edges
// access: read
// params: ends_visible types_visible aggregate limit where
// slots: types where inputs row measures order
// returns: value entities measures
// plan: EagerAggregation Top !CartesianProduct !AllNodesScan
// hits: 150000
// internal: hidden
// Groups the visible relationships of some types that meet the conditions: see aggregate_nodes (the bound is that of 16,000 relationships).
MATCH ()-[r:{{types}}]->()
WHERE {{where}}
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_scanned_edge}}
WITH {{inputs}}
WITH {{row}}
WITH value, count(*) AS entities, {{measures}} AS measures
ORDER BY {{order}} LIMIT $limit
RETURN value, entities, measures
