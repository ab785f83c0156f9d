// name: type_order_add
// access: write
// params: types max
// returns: known
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - the types of nodes in the order in which they appeared
// Adds those of $types that are new, up to $max in all, and returns all. SET takes the lock before the list is read.
MERGE (s:_GraphrestState {name: 'type_order'})
SET s.locked = true
WITH s, coalesce(s.types, []) AS before
SET s.types = (before + [t IN $types WHERE NOT t IN before])[..$max]
RETURN s.types AS known
