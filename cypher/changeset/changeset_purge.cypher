// name: changeset_purge
// access: write
// params: before limit
// returns: removed
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// Removes change sets that were closed before a time.
MATCH (c:_GraphrestChangeSet) WHERE c.closed_at < $before
WITH c LIMIT $limit
DELETE c
RETURN count(*) AS removed
