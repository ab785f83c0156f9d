// name: list_nodes_first
// access: read
// params: first declared where skip limit
// slots: type internal where listed
// returns: element labels properties own key
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !Top !AllNodesScan
// hits: 10 per row
// internal: hidden
// Reads the first page of a type's nodes in the database's own order, which a label scan returns without sorting. The slot listed: see
// cypher.Listed. Of a managed type it is the nodes without their own id; those with one come first, by list_nodes_indexed.
MATCH (n:{{type}})
WHERE {{where}} AND NOT n:{{internal}} AND {{listed}}
WITH n ORDER BY n SKIP $skip LIMIT $limit
{{>scanned_nodes}}
