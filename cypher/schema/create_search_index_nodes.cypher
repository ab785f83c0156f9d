// name: create_search_index_nodes
// access: schema
// params: options
// slots: name types properties
// returns: -
// plan: -
// internal: none - creates an index on types that the domain accepted
// The database builds it in the background.
CREATE FULLTEXT INDEX {{name}} FOR (n:{{types}}) ON EACH [{{properties}}] OPTIONS $options
