// name: constraint_query_name
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestQueryName IF NOT EXISTS FOR (q:_GraphrestQuery) REQUIRE q.name IS UNIQUE
