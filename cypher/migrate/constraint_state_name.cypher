// name: constraint_state_name
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestStateName IF NOT EXISTS FOR (s:_GraphrestState) REQUIRE s.name IS UNIQUE
