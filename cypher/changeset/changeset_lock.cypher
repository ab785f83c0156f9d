// name: changeset_lock
// access: write
// params: id
// returns: status version
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// Begins to apply a change set: takes its lock, so that of several replicas one applies it, and reads what the others may have changed.
MATCH (c:_GraphrestChangeSet {id: $id})
SET c += {}
WITH c
RETURN c.status AS status, c.version AS version
