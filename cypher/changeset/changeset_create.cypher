// name: changeset_create
// access: write
// params: id row rows audit
// lists: rows
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// Creates a change set. It does nothing if it was created by an attempt whose outcome was unknown.
MERGE (c:_GraphrestChangeSet {id: $id})
SET c += {}
WITH c, CASE WHEN c.version IS NULL THEN [[0, '']] ELSE [] END AS done
FOREACH (_ IN done | SET c += $row)
WITH c, done
{{>audit}}
RETURN c.version AS version
