// name: auth_token
// access: read
// params: id
// returns: token
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one service token
MATCH (t:_GraphrestServiceToken {id: $id})
RETURN t {.id, .name, .folded, .hash, .rate_limit, .created_at, .created_by, .created_by_id, .expires_at, .deleted_at, .last_used_at, .version,
  .owner_id, .generation, .uncut,
  held: [(t)-[:_GraphrestHas]->(h:_GraphrestPermission|_GraphrestRole) | [h:_GraphrestRole, h.name]]} AS token
