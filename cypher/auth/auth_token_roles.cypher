// name: auth_token_roles
// access: write
// params: id roles
// returns: name
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the roles of a new service token
// It returns the names of the roles that exist.
MATCH (t:_GraphrestServiceToken {id: $id})
UNWIND $roles AS name
MATCH (r:_GraphrestRole {name: name})
MERGE (t)-[:_GraphrestHas]->(r)
RETURN name
