// name: edges_by_element
// access: read
// params: elements
// slots: id
// returns: rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Relationships by element id, with what tells the ids of their ends: see nodes_by_element.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (a)-[r]->(b) WHERE elementId(r) = $elements[0][i]
  AND NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN collect([i, elementId(r), type(r), properties(r), elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}]) AS rows
