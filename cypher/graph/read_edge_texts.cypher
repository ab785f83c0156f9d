// name: read_edge_texts
// access: read
// params: element keys
// returns: texts
// plan: DirectedRelationshipByElementIdSeek !DirectedAllRelationshipsScan
// internal: hidden
// As read_texts, for a relationship.
MATCH (a)-[r]->(b)
WHERE elementId(r) = $element AND NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest') AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN [key IN $keys | CASE WHEN r[key] IS :: LIST<ANY> THEN [v IN r[key] | toString(v)] ELSE toString(r[key]) END] AS texts
