// name: adopt_edges
// access: write
// params: rows
// slots: type id
// returns: total
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedRelationshipTypeScan
// internal: hidden
// As adopt_nodes, for relationships.
UNWIND $rows[0] AS row
MATCH (a)-[r]->(b) WHERE elementId(r) = row.element
SET r += {}
WITH a, r, b, row
WHERE r:{{type}} AND r.{{id}} IS NULL AND NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
SET r.{{id}} = row.id
RETURN count(r) AS total
