// name: auth_user_delete
// access: write
// params: id version
// returns: -
// plan: NodeUniqueIndexSeek DetachDelete !AllNodesScan
// internal: own - one user, and the record of its deletion that other replicas follow
MATCH (u:_GraphrestUser {id: $id})
DETACH DELETE u
MERGE (d:_GraphrestDeletedUser {id: $id})
SET d.version = $version, d.at = timestamp()
