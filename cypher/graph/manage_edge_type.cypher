// name: manage_edge_type
// access: schema
// params: -
// slots: name type id
// returns: -
// plan: -
// internal: none - creates a constraint on a type that the domain accepts
CREATE CONSTRAINT {{name}} IF NOT EXISTS FOR ()-[r:{{type}}]-() REQUIRE r.{{id}} IS UNIQUE
