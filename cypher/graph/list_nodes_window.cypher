// name: list_nodes_window
// access: read
// params: from to first declared without_id where limit
// slots: type id internal where
// returns: element labels properties own key
// plan: NodeByIdSeek Top !NodeByLabelScan !AllNodesScan
// hits: 12 per row
// internal: hidden
// As list_nodes_first, for the nodes with the numbers $from to $to, with one seek for each number. The function id is deprecated, but a seek
// by it costs less than one by elementId(), which makes a text for each number, and a list of numbers less than the rows of an UNWIND. Of
// all nodes found, only those of the page are read.
CYPHER 5
MATCH (n:{{type}})
WHERE id(n) IN range($from, $to) AND {{where}} AND NOT n:{{internal}} AND (NOT $without_id OR NOT coalesce(n.{{id}} > '', false))
  AND ($first IS NULL OR CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first)
WITH n ORDER BY n LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties, false AS own, elementId(n) AS key
