// name: list_nodes_first
// access: read
// params: first declared where skip limit
// slots: nodes internal where with_listed
// returns: element labels properties own key
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !Top !AllNodesScan
// hits: 10 per row
// internal: hidden
// Reads the first page of a type's nodes in the database's own order, which a label scan returns without sorting. The slots nodes and
// with_listed: see cypher.NodesWith and cypher.Listed. Of a managed type it is the nodes without their own id; those with one come first, by list_nodes_indexed.
{{nodes}}
WHERE {{where}}
{{with_listed}} AND NOT n:{{internal}}
WITH n ORDER BY n SKIP $skip LIMIT $limit
{{>scanned_nodes}}
