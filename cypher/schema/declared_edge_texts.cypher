// name: declared_edge_texts
// access: read
// params: limit max_values min_uses max_length
// slots: type
// returns: name texts
// plan: DirectedRelationshipTypeScan Limit !AllNodesScan
// internal: hidden
// Returns the properties whose values, in up to $limit relationships of a type, are all strings: few distinct ones, each used several times
// and none long.
MATCH ()-[x:{{type}}]->()
WITH x, startNode(x) AS a, endNode(x) AS b
WHERE {{>visible_type x}}
  AND {{>visible_node a}}
  AND {{>visible_node b}}
WITH x LIMIT $limit
UNWIND keys(x) AS name
WITH name, CASE WHEN x[name] IS :: STRING NOT NULL THEN x[name] END AS text, count(*) AS times
WITH name, collect(CASE WHEN text IS NOT NULL AND times >= $min_uses AND size(text) <= $max_length THEN text END) AS texts,
  count(*) AS different
WHERE different = size(texts) AND different <= $max_values
RETURN name, texts
