// name: schema_counts
// access: read
// params: -
// returns: nodes relationships
// plan: ProcedureCall
// internal: none - reads names and counts only; the caller subtracts what is internal
// Returns every count of the count store that is not zero, in one call (Neo4j manual, db.stats.retrieve, section GRAPH COUNTS).
CALL db.stats.retrieve('GRAPH COUNTS') YIELD data
RETURN data.nodes AS nodes, data.relationships AS relationships
