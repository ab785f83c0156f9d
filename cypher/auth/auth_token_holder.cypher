// name: auth_token_holder
// access: read
// params: folded username
// returns: token user
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the ids of the service token with a name, and of the user with the name under which the token acts
OPTIONAL MATCH (t:_GraphrestServiceToken {folded: $folded})
OPTIONAL MATCH (u:_GraphrestUser {folded: $username})
RETURN t.id AS token, u.id AS user
