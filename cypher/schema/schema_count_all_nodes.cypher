// name: schema_count_all_nodes
// access: read
// params: -
// returns: total
// plan: NodeCountFromCountStore
// internal: none - reads a count only; the caller says that the internal part is in it
// As schema_count_nodes, of all nodes.
MATCH (n)
RETURN count(n) AS total
