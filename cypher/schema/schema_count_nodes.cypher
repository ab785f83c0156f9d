// name: schema_count_nodes
// access: read
// params: -
// slots: type
// returns: total
// plan: NodeCountFromCountStore
// internal: none - reads a count only; the caller subtracts what is internal
// Reads one count of the count store, for users who may not call db.stats.retrieve (an administrator's procedure on Enterprise).
MATCH (n:{{type}})
RETURN count(n) AS total
