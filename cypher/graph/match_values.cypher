// name: match_values
// access: read
// params: ends_visible limit skip
// slots: rows page cells
// returns: cells
// plan: !CartesianProduct !AllNodesScan !DirectedAllRelationshipsScan
// internal: none - each MATCH is in the slot rows, where cypher.MatchRows tests every node, unless no visible edge has an internal end, and every edge of a type that is not named
// Answers a question over several hops, of which no column is a node or an edge. The slot rows finds the rows or groups.
{{rows}}
{{page}}
RETURN {{cells}} AS cells
