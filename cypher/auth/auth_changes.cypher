// name: auth_changes
// access: read
// params: since
// returns: version users deleted revoked
// plan: NodeUniqueIndexSeek NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: own - users, deletions and revocations newer than a version
// The version is read first, so that the following reads see everything committed up to it.
MATCH (s:_GraphrestState {name: 'auth'})
WITH s.version AS version
CALL () {
  MATCH (u:_GraphrestUser) WHERE u.version > $since
  RETURN collect(u {.id, .username, .folded, .password_hash, .admin, .disabled, .generation, .rate_limit, .created_at, .updated_at, .version,
    permissions: [(u)-[:_GraphrestHas]->(p:_GraphrestPermission) | p.name]}) AS users
}
CALL () {
  MATCH (d:_GraphrestDeletedUser) WHERE d.version > $since
  RETURN collect(d.id) AS deleted
}
CALL () {
  MATCH (t:_GraphrestRevokedToken) WHERE t.version > $since
  RETURN collect([t.jti, t.expires_at]) AS revoked
}
RETURN version, users, deleted, revoked
