// name: declaration_write
// access: write
// params: write key row rows audit
// lists: rows
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - declarations of types
// Creates or replaces a declaration. The lock on the state serializes changes. The state keeps the ids of the last hundred changes, so that
// a change that is sent again is a no-op.
MERGE (s:_GraphrestState {name: 'types'})
SET s += {}
WITH s, CASE WHEN $write IN coalesce(s.changes, []) THEN [] ELSE [[0, '']] END AS done
FOREACH (d IN done |
  SET s.version = coalesce(s.version, 0) + 1, s.changes = (coalesce(s.changes, []) + $write)[-100..]
  MERGE (t:_GraphrestType {key: $key})
  SET t = $row)
WITH s, done
{{>audit}}
RETURN s.version AS version
