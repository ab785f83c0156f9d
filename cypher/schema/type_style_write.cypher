// name: type_style_write
// access: write
// params: key kind type set adds max write rows audit
// lists: rows
// returns: style full
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - styles of types
// Changes the style of a type, or adds one, if $adds, unless there are $max. The lock on the state serializes changes, so that the limit
// is kept. A style of which no member is left is removed; then style is null. A change of nothing is not recorded. An attempt that is
// repeated because its outcome was unknown is recognized by $write, also if it removed the style.
MERGE (s:_GraphrestState {name: 'type_styles'})
SET s.locked = true
WITH s
OPTIONAL MATCH (t:_GraphrestTypeStyle {key: $key})
CALL () {
  MATCH (o:_GraphrestTypeStyle)
  RETURN count(o) AS total
}
WITH s, t, total, $write IN coalesce(s.changes, []) OR size(keys($set)) = 0 OR t IS NULL AND NOT $adds AS nothing
WITH s, nothing, t IS NULL AND total >= $max AS full
WITH s, full AND NOT nothing AS full, CASE WHEN nothing OR full THEN [] ELSE [[0, '']] END AS done
FOREACH (_ IN done |
  SET s.changes = (coalesce(s.changes, []) + $write)[-100..]
  MERGE (n:_GraphrestTypeStyle {key: $key})
  SET n += $set, n.kind = $kind, n.type = $type, n.updated_at = timestamp())
WITH full, done
{{>audit}}
WITH full
OPTIONAL MATCH (t:_GraphrestTypeStyle {key: $key})
WITH full, t, properties(t) AS style, coalesce(t.color, t.size, t.width, t.caption, t.icon) IS NULL AS empty
FOREACH (gone IN CASE WHEN t IS NOT NULL AND empty THEN [t] ELSE [] END | DELETE gone)
RETURN CASE WHEN empty THEN null ELSE style END AS style, full
