// name: changeset_update
// access: write
// params: id version write set rows audit
// lists: rows
// returns: written
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// Changes a change set that still has a version. An attempt that is repeated because its outcome was unknown is recognized by $write.
MATCH (c:_GraphrestChangeSet {id: $id})
SET c += {}
WITH c, CASE WHEN c.version = $version THEN [[0, '']] ELSE [] END AS done, coalesce(c.change = $write, false) AS repeated
FOREACH (_ IN done | SET c += $set, c.version = $version + 1, c.change = $write)
WITH c, done, repeated
{{>audit}}
RETURN repeated OR size(done) > 0 AS written
