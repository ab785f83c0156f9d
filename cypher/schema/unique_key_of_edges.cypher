// name: unique_key_of_edges
// access: schema
// params: -
// slots: name type properties
// returns: -
// plan: -
// internal: none - creates a constraint on a type that the domain accepts
CREATE CONSTRAINT {{name}} IF NOT EXISTS FOR ()-[r:{{type}}]-() REQUIRE ({{properties}}) IS UNIQUE
