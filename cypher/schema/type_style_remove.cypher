// name: type_style_remove
// access: write
// params: key write rows audit
// lists: rows
// returns: removed
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - styles of types
// Removes the style of a type. It returns no row if there is none. The lock on the state serializes changes; an attempt that is repeated
// is recognized by $write, as in type_style_write.
MERGE (s:_GraphrestState {name: 'type_styles'})
SET s.locked = true
WITH s, CASE WHEN $write IN coalesce(s.changes, []) THEN [] ELSE [[0, '']] END AS done
OPTIONAL MATCH (t:_GraphrestTypeStyle {key: $key})
WITH s, t, done
WHERE size(done) = 0 OR t IS NOT NULL
FOREACH (_ IN done |
  SET s.changes = (coalesce(s.changes, []) + $write)[-100..]
  DELETE t)
WITH done
{{>audit}}
RETURN size(done) AS removed
