// name: declaration_remove
// access: write
// params: key
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - declarations of types
// No row: there is no such declaration.
MERGE (s:_GraphrestState {name: 'types'})
REMOVE s._GraphrestLock
WITH s
MATCH (t:_GraphrestType {key: $key})
SET s.version = coalesce(s.version, 0) + 1
DELETE t
RETURN s.version AS version
