// name: auth_user_roles
// access: write
// params: id roles
// returns: name
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the roles of one user, all replaced
// It returns the names of the roles that exist.
MATCH (u:_GraphrestUser {id: $id})
CALL (u) {
  MATCH (u)-[h:_GraphrestHas]->(:_GraphrestRole)
  DELETE h
}
WITH u
UNWIND $roles AS name
MATCH (r:_GraphrestRole {name: name})
MERGE (u)-[:_GraphrestHas]->(r)
RETURN name
