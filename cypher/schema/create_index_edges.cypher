// name: create_index_edges
// access: schema
// params: -
// slots: kind name type properties
// returns: -
// plan: -
// internal: none - creates an index on a type that the domain accepted
// The database builds it in the background.
CREATE {{kind}} INDEX {{name}} FOR ()-[r:{{type}}]-() ON ({{properties}})
