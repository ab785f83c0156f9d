// name: list_labels
// access: read
// params: -
// returns: names
// plan: ProcedureCall
// internal: none - reads names only; the caller leaves the internal ones out
// The labels that are on a node at this moment (Neo4j manual, db.labels(): those in use).
CALL db.labels() YIELD label
RETURN collect(label) AS names
