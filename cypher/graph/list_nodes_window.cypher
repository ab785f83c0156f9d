// name: list_nodes_window
// access: read
// params: prefix from to first declared without_id where limit
// slots: type id internal where
// returns: element labels properties own key
// plan: NodeByElementIdSeek !NodeByLabelScan !AllNodesScan !Top
// hits: 12 per row
// internal: hidden
// As list_nodes_first, for the nodes with the numbers $from to $to, with one seek for each number until the page is full. $prefix is the
// common prefix of the database's element ids. The numbers are sorted first, so that the planner knows the order of the rows and does not
// sort them.
UNWIND range($from, $to) AS number
WITH number ORDER BY number
MATCH (n:{{type}})
WHERE elementId(n) = $prefix + toString(number) AND {{where}} AND NOT n:{{internal}} AND (NOT $without_id OR NOT coalesce(n.{{id}} > '', false))
  AND ($first IS NULL OR CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first)
WITH n, number ORDER BY number LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties, false AS own, elementId(n) AS key
