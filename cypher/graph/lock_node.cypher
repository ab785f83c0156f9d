// name: lock_node
// access: write
// params: element
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Takes a node's write lock and reads the node under the lock, for a change that depends on its content.
MATCH (n) WHERE elementId(n) = $element
SET n += {}
WITH n
WHERE {{>visible_node n}}
RETURN collect([0, elementId(n), labels(n), properties(n)]) AS rows
