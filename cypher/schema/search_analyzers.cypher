// name: search_analyzers
// access: read
// params: -
// returns: analyzer
// plan: ProcedureCall
// internal: none - reads what the database supports
CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer
RETURN analyzer ORDER BY analyzer
