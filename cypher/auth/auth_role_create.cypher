// name: auth_role_create
// access: write
// params: role version
// returns: -
// plan: NodeUniqueIndexSeek Create !AllNodesScan
// internal: own - one role, and the version of all roles
MATCH (s:_GraphrestState {name: 'auth'})
SET s.roles_version = $version
CREATE (r:_GraphrestRole)
SET r = $role, r.version = $version
