// name: read_edge_texts
// access: read
// params: element keys
// returns: texts
// plan: DirectedRelationshipByElementIdSeek !DirectedAllRelationshipsScan
// internal: hidden
// As read_texts, for a relationship.
MATCH (a)-[r]->(b)
WHERE elementId(r) = $element AND {{>visible_edge}}
RETURN [key IN $keys | CASE WHEN r[key] IS :: LIST<ANY> THEN [v IN r[key] | toString(v)] ELSE toString(r[key]) END] AS texts
