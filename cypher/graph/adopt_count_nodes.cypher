// name: adopt_count_nodes
// access: read
// params: -
// slots: type id
// returns: total held texts
// plan: NodeByLabelScan !AllNodesScan
// internal: hidden
// Counts the nodes with a label, those that have the id property, and those whose id property is a string that can be an id.
MATCH (n:{{type}})
WHERE {{>visible_node n}}
RETURN count(*) AS total, count(n.{{id}}) AS held, count(CASE WHEN n.{{id}} > '' THEN 1 END) AS texts
