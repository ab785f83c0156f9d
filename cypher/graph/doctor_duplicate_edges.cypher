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
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
WITH r.{{id}} AS id, count(*) AS holders
WHERE holders > 1
RETURN count(*) AS total
