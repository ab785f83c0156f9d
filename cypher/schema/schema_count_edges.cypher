// name: schema_count_edges
// access: read
// params: -
// slots: type
// returns: total
// plan: RelationshipCountFromCountStore
// internal: none - reads a count only; the caller subtracts what is internal
// As schema_count_nodes.
MATCH ()-[r:{{type}}]->()
RETURN count(r) AS total
