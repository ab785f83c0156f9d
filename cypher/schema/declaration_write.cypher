// name: declaration_write
// access: write
// params: key row rows audit
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - declarations of types
// Makes or replaces a declaration. The lock on the state makes changes happen one after another.
MERGE (s:_GraphrestState {name: 'types'})
REMOVE s._GraphrestLock
WITH s
SET s.version = coalesce(s.version, 0) + 1
WITH s
MERGE (t:_GraphrestType {key: $key})
SET t = $row
WITH s, [[0, '']] AS done
{{>audit}}
RETURN s.version AS version
