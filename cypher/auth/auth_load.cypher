// name: auth_load
// access: read
// params: since
// returns: version users revoked
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - all users, and the revocations newer than a version
MATCH (s:_GraphrestState {name: 'auth'})
WITH s.version AS version
CALL () {
  MATCH (u:_GraphrestUser)
  RETURN collect(u {.id, .username, .folded, .password_hash, .admin, .disabled, .generation, .rate_limit, .created_at, .updated_at, .version,
    permissions: [(u)-[:_GraphrestHas]->(p:_GraphrestPermission) | p.name]}) AS users
}
CALL () {
  MATCH (t:_GraphrestRevokedToken) WHERE t.version > $since
  RETURN collect([t.jti, t.expires_at]) AS revoked
}
RETURN version, users, revoked
