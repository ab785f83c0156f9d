// name: auth_user
// access: read
// params: id
// returns: user
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one user
MATCH (u:_GraphrestUser {id: $id})
RETURN u {.id, .username, .folded, .password_hash, .identity, .granted_at, .admin, .disabled, .generation, .rate_limit, .attributes,
  .created_at, .updated_at, .version,
  held: [(u)-[:_GraphrestHas]->(h:_GraphrestPermission|_GraphrestRole) | [h:_GraphrestRole, h.name]]} AS user
