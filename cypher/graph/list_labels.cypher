// name: list_labels
// access: read
// params: -
// returns: names
// plan: ProcedureCall
// internal: none - reads names only; the caller excludes the internal ones
// Returns the labels in use (Neo4j manual, db.labels()).
CALL db.labels() YIELD label
RETURN collect(label) AS names
