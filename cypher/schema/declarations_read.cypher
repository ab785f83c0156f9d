// name: declarations_read
// access: read
// params: known
// returns: version types
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - declarations of types
// Reads the declarations, unless their version is $known. The version is read first, so that the following read sees everything committed
// up to it.
OPTIONAL MATCH (s:_GraphrestState {name: 'types'})
WITH coalesce(s.version, 0) AS version
CALL (version) {
  WITH version WHERE version <> $known
  MATCH (t:_GraphrestType)
  RETURN collect(properties(t)) AS types
}
RETURN version, types
