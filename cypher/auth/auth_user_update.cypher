// name: auth_user_update
// access: write
// params: id changes ended version
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one user
// A change to null removes a property. Tokens of an earlier generation are rejected.
MATCH (u:_GraphrestUser {id: $id})
SET u += $changes, u.generation = coalesce(u.generation, 0) + $ended, u.version = $version
