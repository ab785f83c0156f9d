// name: list_nodes_onward
// access: read
// params: from to first declared where limit
// slots: type internal where listed
// returns: element labels properties own key
// plan: NodeByIdSeek Limit !Sort !Top !NodeByLabelScan !AllNodesScan
// hits: 12 per row
// internal: hidden
// As list_nodes_window, number by number, in order. A number costs some more than one of a window, but behind the page none is read: for a
// gap of unknown length.
CYPHER 5
UNWIND range($from, $to) AS number
MATCH (n:{{type}})
WHERE id(n) = number AND {{where}} AND NOT n:{{internal}} AND {{listed}}
WITH n LIMIT $limit
{{>scanned_nodes}}
