// name: declarations_read
// access: read
// params: known
// returns: version types
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - declarations of types
// The declarations, unless their version is the one that is known already. The version is read first: what was committed up
// to it is seen by what follows.
OPTIONAL MATCH (s:_GraphrestState {name: 'types'})
WITH coalesce(s.version, 0) AS version
CALL (version) {
  WITH version WHERE version <> $known
  MATCH (t:_GraphrestType)
  RETURN collect(properties(t)) AS types
}
RETURN version, types
