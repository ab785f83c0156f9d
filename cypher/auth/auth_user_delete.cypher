// name: auth_user_delete
// access: write
// params: id version
// returns: -
// plan: NodeUniqueIndexSeek NodeIndexSeek DetachDelete !AllNodesScan
// internal: own - one user with the saved views, the personal tokens, and the record of its deletion that other replicas follow
MATCH (u:_GraphrestUser {id: $id})
DETACH DELETE u
WITH count(*) AS deleted
CALL () {
  MATCH (v:_GraphrestSavedView) WHERE v.owner_id = $id
  DETACH DELETE v
}
CALL () {
  MATCH (t:_GraphrestServiceToken) WHERE t.owner_id = $id AND t.deleted_at IS NULL
  SET t.deleted_at = datetime(), t.version = $version
}
MERGE (d:_GraphrestDeletedUser {id: $id})
SET d.version = $version, d.at = timestamp()
