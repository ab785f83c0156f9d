// name: type_style_remove
// access: write
// params: key rows audit
// returns: removed
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - styles of types
// Removes the style of a type. It returns no row if there is none.
MATCH (t:_GraphrestTypeStyle {key: $key})
WITH t, [[0, '']] AS done
DELETE t
WITH done
{{>audit}}
RETURN size(done) AS removed
