// name: auth_token_owner
// access: read
// params: id owner generation
// returns: tokens made
// plan: NodeUniqueIndexSeek NodeIndexSeek !AllNodesScan
// internal: own - how many personal tokens a user of a generation has, and whether there is one with an id
MATCH (u:_GraphrestUser {id: $owner})
WHERE coalesce(u.generation, 0) = $generation AND NOT coalesce(u.disabled, false)
OPTIONAL MATCH (t:_GraphrestServiceToken) WHERE t.owner_id = $owner AND t.deleted_at IS NULL
RETURN count(t) AS tokens, count(CASE WHEN t.id = $id THEN 1 END) > 0 AS made
