// name: auth_name_holder
// access: read
// params: folded
// returns: id
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the id of the user with a name
MATCH (u:_GraphrestUser {folded: $folded})
RETURN u.id AS id
