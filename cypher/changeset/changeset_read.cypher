// name: changeset_read
// access: read
// params: id
// returns: stored
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// One change set.
MATCH (c:_GraphrestChangeSet {id: $id})
RETURN properties(c) AS stored
