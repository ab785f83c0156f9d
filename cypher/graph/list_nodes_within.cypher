// name: list_nodes_within
// access: read
// params: first after window limit where declared
// slots: type id internal where listed
// returns: element labels properties own key
// plan: NodeUniqueIndexSeekByRange !Sort !Top !NodeByLabelScan !AllNodesScan
// hits: 12 per row
// internal: hidden
// As list_nodes_indexed, of the next $window nodes of the index alone.
MATCH (n:{{type}})
WHERE n.{{id}} > $after
WITH n ORDER BY n.{{id}} LIMIT $window
WITH n WHERE {{listed}} AND {{where}} AND NOT n:{{internal}}
WITH n ORDER BY n.{{id}} LIMIT $limit
{{>indexed_nodes}}
