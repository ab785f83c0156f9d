// name: adopt_count_edges
// access: read
// params: -
// slots: type id
// returns: total held texts
// plan: DirectedRelationshipTypeScan !AllNodesScan
// internal: hidden
// As adopt_count_nodes, for a relationship type.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
RETURN count(*) AS total, count(r.{{id}}) AS held, count(CASE WHEN r.{{id}} > '' THEN 1 END) AS texts
