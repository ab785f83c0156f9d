// name: auth_user_delete
// access: write
// params: id version
// returns: -
// plan: NodeUniqueIndexSeek NodeIndexSeek DetachDelete !AllNodesScan
// internal: own - one user with the saved views, and the record of its deletion that other replicas follow
MATCH (u:_GraphrestUser {id: $id})
DETACH DELETE u
WITH count(*) AS deleted
CALL () {
  MATCH (v:_GraphrestSavedView) WHERE v.owner_id = $id
  DETACH DELETE v
}
MERGE (d:_GraphrestDeletedUser {id: $id})
SET d.version = $version, d.at = timestamp()
