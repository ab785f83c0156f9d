// name: match_entities
// access: read
// params: ends_visible limit skip
// slots: rows page collected lists found bound id cells
// returns: part row
// plan: !CartesianProduct !AllNodesScan !DirectedAllRelationshipsScan
// internal: none - each MATCH is in the slot rows, where cypher.MatchRows tests every node, unless no visible edge has an internal end, and every edge of a type that is not named
// As match_values, with nodes and edges among the columns. Part 2 is a row; before the first row with a node (part 0) or edge (part 1) it
// returns the entity, as nodes_by_element and edges_by_element do. The page is a list of references; values are read as it is returned.
{{rows}}
{{page}}
WITH {{collected}}
CALL ({{lists}}) {
  {{found}}
}
WITH {{lists}}, at, part, node, edge ORDER BY at, part
WITH {{bound}}, startNode(edge) AS a, endNode(edge) AS b
RETURN part, CASE part
  WHEN 0 THEN [0, elementId(node), labels(node), node {.*}]
  WHEN 1 THEN [0, elementId(edge), type(edge), edge {.*}, elementId(a), labels(a), a.{{id}}, elementId(b), labels(b), b.{{id}}]
  ELSE {{cells}} END AS row
