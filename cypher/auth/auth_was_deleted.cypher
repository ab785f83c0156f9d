// name: auth_was_deleted
// access: read
// params: id
// returns: deleted
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - whether there is a record of a user's deletion
OPTIONAL MATCH (d:_GraphrestDeletedUser {id: $id})
RETURN d IS NOT NULL AS deleted
