// name: list_nodes_behind
// access: read
// params: after first declared where limit
// slots: type internal where listed
// returns: element labels properties own key
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !Top !AllNodesScan
// hits: 2 per entity
// internal: hidden
// As list_nodes_first, after the node with the number $after, by scan: for types with too few of all nodes for list_nodes_window. The
// function id is deprecated, but costs a tenth of extracting the number from the element id of each skipped node.
CYPHER 5
MATCH (n:{{type}})
WHERE id(n) > $after AND {{where}} AND NOT n:{{internal}} AND {{listed}}
WITH n ORDER BY n LIMIT $limit
{{>scanned_nodes}}
