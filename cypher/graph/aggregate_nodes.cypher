// name: aggregate_nodes
// access: read
// params: aggregate limit where
// slots: of where inputs row measures order
// returns: value entities measures
// plan: EagerAggregation Top !CartesianProduct !AllNodesScan
// hits: 60000
// internal: hidden
// Groups the visible nodes with a label, or all visible nodes, that meet the conditions: see cypher.Aggregation. It reads each of them once
// (the bound is that of 8,000 nodes). The labels are read after the conditions: see list_nodes_sought_count.
MATCH (n{{of}})
WHERE {{where}}
WITH n, labels(n) AS names
WHERE {{>visible_labels names}}
WITH {{inputs}}
WITH {{row}}
WITH value, count(*) AS entities, {{measures}} AS measures
ORDER BY {{order}} LIMIT $limit
RETURN value, entities, measures
