// name: auth_user_update
// access: write
// params: id changes ended version
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one user, and the personal tokens that end with a new generation
// A change to null removes a property. Tokens of an earlier generation are rejected.
MATCH (u:_GraphrestUser {id: $id})
SET u += $changes, u.generation = coalesce(u.generation, 0) + $ended, u.version = $version
WITH u WHERE $ended > 0
MATCH (t:_GraphrestServiceToken) WHERE t.owner_id = $id AND t.deleted_at IS NULL
SET t.deleted_at = datetime(), t.version = $version
