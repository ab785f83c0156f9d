// name: lock_nodes
// access: write
// params: elements
// lists: elements
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Takes the write locks of several nodes, in their order, and reads the nodes under them, for changes that depend on their content. A record
// has up to 8 rows, as in update_nodes.
UNWIND range(0, size($elements[0]) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[0][i]
SET n += {}
WITH i, n
WHERE {{>visible_node n}}
WITH collect([i, elementId(n), labels(n), n {.*}]) AS rows
UNWIND range(0, size(rows) - 1, 8) AS first
RETURN rows[first..first + 8] AS rows
