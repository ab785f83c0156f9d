// name: changeset_drop_closed
// access: write
// params: author
// returns: removed
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// Removes the rejected and withdrawn change sets of an author.
MATCH (c:_GraphrestChangeSet) WHERE c.author_id = $author
WITH c WHERE c.status IN ['rejected', 'withdrawn']
DELETE c
RETURN count(*) AS removed
