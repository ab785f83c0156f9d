// name: declaration_remove
// access: write
// params: write key rows audit
// lists: rows
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - declarations of types
// It returns no row if the declaration does not exist. A change that is sent again is a no-op, as in declaration_write.
MERGE (s:_GraphrestState {name: 'types'})
SET s += {}
WITH s, CASE WHEN $write IN coalesce(s.changes, []) THEN [] ELSE [[0, '']] END AS done
OPTIONAL MATCH (t:_GraphrestType {key: $key})
WITH s, t, done
WHERE size(done) = 0 OR t IS NOT NULL
FOREACH (d IN done |
  SET s.version = coalesce(s.version, 0) + 1, s.changes = (coalesce(s.changes, []) + $write)[-100..]
  DELETE t)
WITH s, done
{{>audit}}
RETURN s.version AS version
