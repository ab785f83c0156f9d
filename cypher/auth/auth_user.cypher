// name: auth_user
// access: read
// params: id
// returns: user
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one user
MATCH (u:_GraphrestUser {id: $id})
RETURN u {.id, .username, .folded, .password_hash, .admin, .disabled, .generation, .rate_limit, .created_at, .updated_at, .version,
  permissions: [(u)-[:_GraphrestHas]->(p:_GraphrestPermission) | p.name]} AS user
