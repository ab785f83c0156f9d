// name: auth_role_delete
// access: write
// params: name version
// returns: -
// plan: NodeUniqueIndexSeek DetachDelete !AllNodesScan
// internal: own - one role, which is taken from its holders, and the version of all roles
// The holders get the version, so that other replicas read them again. Saved views that were shared with the role get another ETag.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.roles_version = $version
WITH s
MATCH (r:_GraphrestRole {name: $name})
CALL (r) {
  MATCH (holder)-[:_GraphrestHas]->(r)
  SET holder.version = $version
}
CALL (r) {
  MATCH (v:_GraphrestSavedView)-[:_GraphrestSharedWith]->(r)
  SET v.version = v.version + 1
}
DETACH DELETE r
