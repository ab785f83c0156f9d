// name: list_nodes_indexed
// access: read
// params: first after skip limit where declared
// slots: type id internal where listed
// returns: element labels properties own key
// plan: NodeUniqueIndexSeekByRange !Sort !Top !NodeByLabelScan !AllNodesScan
// hits: 12 per row
// internal: hidden
// Reads a page of a managed type's nodes that have an id, by the id index in order: see cypher.Listed. $after is '' on the first
// page: a lower bound makes the planner read the index in order.
MATCH (n:{{type}})
WHERE n.{{id}} > $after AND {{listed}} AND {{where}} AND NOT n:{{internal}}
WITH n ORDER BY n.{{id}} SKIP $skip LIMIT $limit
{{>indexed_nodes}}
