// name: constraint_permission_name
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestPermissionName IF NOT EXISTS FOR (p:_GraphrestPermission) REQUIRE p.name IS UNIQUE
