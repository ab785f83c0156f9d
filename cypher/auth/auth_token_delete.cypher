// name: auth_token_delete
// access: write
// params: id at version
// returns: -
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - one service token
// The node stays until the token would have expired, so that the token is recognized as a deleted one. Without the folded name it does not
// occupy the name.
MATCH (t:_GraphrestServiceToken {id: $id})
SET t.deleted_at = $at, t.version = $version
REMOVE t.folded
WITH t
MATCH (t)-[h:_GraphrestHas]->()
DELETE h
