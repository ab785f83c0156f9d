// name: auth_role_update
// access: write
// params: name changes version
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one role, and the version of all roles
MATCH (s:_GraphrestState {name: 'auth'})
SET s.roles_version = $version
WITH s
MATCH (r:_GraphrestRole {name: $name})
SET r += $changes, r.version = $version
