// name: auth_role_delete
// access: write
// params: name version
// returns: -
// plan: NodeUniqueIndexSeek DetachDelete !AllNodesScan
// internal: own - one role, which is taken from its holders, and the version of all roles
// The holders get the version, so that other replicas read them again.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.roles_version = $version
WITH s
MATCH (r:_GraphrestRole {name: $name})
CALL (r) {
  MATCH (holder)-[:_GraphrestHas]->(r)
  SET holder.version = $version
}
DETACH DELETE r
