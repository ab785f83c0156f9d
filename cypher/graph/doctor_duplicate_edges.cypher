// name: doctor_duplicate_edges
// access: read
// params: -
// slots: type id
// returns: total
// plan: !AllNodesScan
// internal: hidden
// As doctor_duplicate_nodes, for a relationship type.
MATCH ()-[r:{{type}}]->()
WHERE r.{{id}} IS NOT NULL
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
WITH r.{{id}} AS id, count(*) AS holders
WHERE holders > 1
RETURN count(*) AS total
