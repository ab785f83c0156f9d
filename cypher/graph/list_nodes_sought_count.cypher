// name: list_nodes_sought_count
// access: read
// params: where
// slots: of where
// returns: total
// plan: !CartesianProduct
// hits: 5 per entity
// internal: hidden
// Counts the visible nodes with a label, or all visible nodes, that meet the conditions.
// The labels are read in a separate clause: in one WHERE the planner tests them before the conditions, which most nodes do not meet.
MATCH (n{{of}})
WHERE {{where}}
WITH n, labels(n) AS names
WHERE {{>visible_labels names}}
RETURN count(n) AS total
