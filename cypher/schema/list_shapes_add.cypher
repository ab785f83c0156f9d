// name: list_shapes_add
// access: write
// params: rows since max_shapes
// returns: -
// plan: NodeUniqueIndexSeek/MergeUniqueNode SetProperty !AllNodesScan
// internal: only - it counts slow lists
// Adds the counts of one replica, then keeps the $max_shapes shapes of the highest cost, those requested after $since first. SET takes the
// lock before the counts are read.
UNWIND $rows AS row
MERGE (a:_GraphrestListShape {key: row.key})
ON CREATE SET a.count = 0, a.elapsed = 0, a.saved = 0
SET a.at = timestamp()
WITH a, row
SET a.count = a.count + row.count, a.elapsed = a.elapsed + row.elapsed, a.saved = a.saved + row.saved
WITH count(*) AS added
MATCH (a:_GraphrestListShape)
WITH a ORDER BY a.at > $since DESC, a.saved DESC, a.key SKIP $max_shapes
DELETE a
