// name: search_analyzers
// access: read
// params: -
// returns: analyzer stopwords
// plan: ProcedureCall
// internal: none - reads what the database supports
CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer, stopwords
RETURN analyzer, stopwords
