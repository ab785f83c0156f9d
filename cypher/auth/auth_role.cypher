// name: auth_role
// access: read
// params: name
// returns: role
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one role
MATCH (r:_GraphrestRole {name: $name})
RETURN r {.name, .description, .grants, .queries, .created_at, .updated_at, .version} AS role
