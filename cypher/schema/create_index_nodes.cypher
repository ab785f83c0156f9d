// name: create_index_nodes
// access: schema
// params: -
// slots: kind name type properties
// returns: -
// plan: -
// internal: none - creates an index on a type that the domain accepted
// The database builds it in the background.
CREATE {{kind}} INDEX {{name}} FOR (n:{{type}}) ON ({{properties}})
