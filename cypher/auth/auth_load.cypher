// name: auth_load
// access: read
// params: since
// returns: version versions users revoked tokens roles
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - all users, service tokens and roles, and the revocations newer than a version
MATCH (s:_GraphrestState {name: 'auth'})
WITH s.version AS version
CALL () {
  MATCH (state:_GraphrestState) WHERE state.name > ''
  RETURN collect([state.name, state.version]) AS versions
}
CALL () {
  MATCH (u:_GraphrestUser)
  RETURN collect(u {.id, .username, .folded, .password_hash, .identity, .granted_at, .admin, .disabled, .generation, .rate_limit, .attributes,
    .created_at, .updated_at, .version,
    held: [(u)-[:_GraphrestHas]->(h:_GraphrestPermission|_GraphrestRole) | [h:_GraphrestRole, h.name]]}) AS users
}
CALL () {
  MATCH (t:_GraphrestRevokedToken) WHERE t.version > $since
  RETURN collect([t.jti, t.expires_at]) AS revoked
}
CALL () {
  MATCH (t:_GraphrestServiceToken)
  RETURN collect(t {.id, .name, .folded, .hash, .rate_limit, .created_at, .created_by, .created_by_id, .expires_at, .deleted_at, .last_used_at, .version,
    .owner_id, .generation, .uncut,
    held: [(t)-[:_GraphrestHas]->(h:_GraphrestPermission|_GraphrestRole) | [h:_GraphrestRole, h.name]]}) AS tokens
}
CALL () {
  MATCH (r:_GraphrestRole)
  RETURN collect(r {.name, .description, .grants, .queries, .created_at, .updated_at, .version}) AS roles
}
RETURN version, versions, users, revoked, tokens, roles
