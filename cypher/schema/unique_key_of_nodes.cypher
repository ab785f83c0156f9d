// name: unique_key_of_nodes
// access: schema
// params: -
// slots: name type properties
// returns: -
// plan: -
// internal: none - creates a constraint on a type that the domain accepts
CREATE CONSTRAINT {{name}} IF NOT EXISTS FOR (n:{{type}}) REQUIRE ({{properties}}) IS UNIQUE
