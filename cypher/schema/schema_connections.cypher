// name: schema_connections
// access: read
// params: limit declared
// slots: type
// returns: source target uses
// plan: DirectedRelationshipTypeScan !AllNodesScan
// internal: hidden
// Returns the pairs of node types that up to $limit relationships of one type connect. An end without labels is ''.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
WITH a, b LIMIT $limit
RETURN coalesce(CASE WHEN $declared IS NULL THEN labels(a)[0] ELSE coalesce([l IN labels(a) WHERE l IN $declared][0], labels(a)[0]) END, '') AS source, coalesce(CASE WHEN $declared IS NULL THEN labels(b)[0] ELSE coalesce([l IN labels(b) WHERE l IN $declared][0], labels(b)[0]) END, '') AS target, count(*) AS uses
