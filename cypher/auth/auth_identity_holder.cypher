// name: auth_identity_holder
// access: read
// params: identity
// returns: id
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the id of the user with an identity at a provider
MATCH (u:_GraphrestUser {identity: $identity})
RETURN u.id AS id
