// name: list_nodes_window
// access: read
// params: from to first declared where limit
// slots: type internal where listed
// returns: element labels properties own key
// plan: NodeByIdSeek Top !NodeByLabelScan !AllNodesScan
// hits: 12 per row
// internal: hidden
// As list_nodes_first, for the nodes with the numbers $from to $to, with one seek for each number. The function id is deprecated, but a
// seek by it costs less than one by elementId(), which makes a text for each number, and a list of numbers less than the rows of an UNWIND.
// Of all nodes found, only those of the page are read.
CYPHER 5
MATCH (n:{{type}})
WHERE id(n) IN range($from, $to) AND {{where}} AND NOT n:{{internal}} AND {{listed}}
WITH n ORDER BY n LIMIT $limit
{{>scanned_nodes}}
