// name: declaration_remove
// access: write
// params: key rows audit
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
WITH s, [[0, '']] AS done
{{>audit}}
RETURN s.version AS version
