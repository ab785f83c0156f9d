// name: auth_user_permissions
// access: write
// params: id permissions
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the permissions of one user, all replaced
MATCH (u:_GraphrestUser {id: $id})
CALL (u) {
  MATCH (u)-[h:_GraphrestHas]->(:_GraphrestPermission)
  DELETE h
}
WITH u
UNWIND $permissions AS name
MERGE (p:_GraphrestPermission {name: name})
CREATE (u)-[:_GraphrestHas]->(p)
