// name: changeset_usage
// access: write
// params: author except
// returns: pending closed
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// The stored bytes of an author's change sets except one: of those that are open or approved, and of those that were rejected or withdrawn.
// The lock of the state node serializes the transactions that add to them.
MERGE (s:_GraphrestState {name: 'change_sets'})
SET s += {}
WITH s
CALL (s) {
  MATCH (c:_GraphrestChangeSet) WHERE c.author_id = $author
  WITH c WHERE c.id <> $except
  RETURN sum(CASE WHEN c.status IN ['open', 'approved'] THEN c.bytes ELSE 0 END) AS pending,
    sum(CASE WHEN c.status IN ['rejected', 'withdrawn'] THEN c.bytes ELSE 0 END) AS closed
}
RETURN pending, closed
