// name: schema_count_all_edges
// access: read
// params: -
// returns: total
// plan: RelationshipCountFromCountStore
// internal: none - reads a count only; the caller says that the internal part is in it
// As schema_count_nodes, of all edges.
MATCH ()-[r]->()
RETURN count(r) AS total
