// name: constraint_role_name
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestRoleName IF NOT EXISTS FOR (r:_GraphrestRole) REQUIRE r.name IS UNIQUE
