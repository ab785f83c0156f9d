// name: auth_changes
// access: read
// params: since
// returns: version versions users deleted revoked tokens roles_version roles
// plan: NodeUniqueIndexSeek NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: own - users, deletions, revocations and service tokens newer than a version; all roles if any of them is
// The version is read first, so that the following reads see everything committed up to it.
MATCH (s:_GraphrestState {name: 'auth'})
WITH s.version AS version, coalesce(s.roles_version, 0) AS roles_version
CALL () {
  MATCH (state:_GraphrestState) WHERE state.name > ''
  RETURN collect([state.name, state.version]) AS versions
}
CALL () {
  MATCH (u:_GraphrestUser) WHERE u.version > $since
  RETURN collect(u {.id, .username, .folded, .password_hash, .identity, .granted_at, .admin, .disabled, .generation, .rate_limit, .attributes,
    .created_at, .updated_at, .version,
    held: [(u)-[:_GraphrestHas]->(h:_GraphrestPermission|_GraphrestRole) | [h:_GraphrestRole, h.name]]}) AS users
}
CALL () {
  MATCH (d:_GraphrestDeletedUser) WHERE d.version > $since
  RETURN collect(d.id) AS deleted
}
CALL () {
  MATCH (t:_GraphrestRevokedToken) WHERE t.version > $since
  RETURN collect([t.jti, t.expires_at]) AS revoked
}
CALL () {
  MATCH (t:_GraphrestServiceToken) WHERE t.version > $since
  RETURN collect(t {.id, .name, .folded, .hash, .rate_limit, .created_at, .created_by, .created_by_id, .expires_at, .deleted_at, .last_used_at, .version,
    .owner_id, .generation, .uncut,
    held: [(t)-[:_GraphrestHas]->(h:_GraphrestPermission|_GraphrestRole) | [h:_GraphrestRole, h.name]]}) AS tokens
}
CALL (roles_version) {
  WITH roles_version WHERE roles_version > $since
  MATCH (r:_GraphrestRole) WHERE r.name > ''
  RETURN collect(r {.name, .description, .grants, .queries, .created_at, .updated_at, .version}) AS roles
}
RETURN version, versions, users, deleted, revoked, tokens, roles_version, roles
