// name: schema_connections
// access: read
// params: limit
// slots: type
// returns: source target uses
// plan: DirectedRelationshipTypeScan !AllNodesScan
// internal: hidden
// The pairs of first labels that so many relationships of one type connect; an end without labels is ''.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
WITH a, b LIMIT $limit
RETURN coalesce(labels(a)[0], '') AS source, coalesce(labels(b)[0], '') AS target, count(*) AS uses
