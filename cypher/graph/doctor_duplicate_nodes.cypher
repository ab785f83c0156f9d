// name: doctor_duplicate_nodes
// access: read
// params: -
// slots: type id
// returns: total
// plan: !AllNodesScan
// internal: hidden
// Counts the values of the id property that more than one node of a label has.
MATCH (n:{{type}})
WHERE n.{{id}} IS NOT NULL AND {{>visible_node n}}
WITH n.{{id}} AS id, count(*) AS holders
WHERE holders > 1
RETURN count(*) AS total
