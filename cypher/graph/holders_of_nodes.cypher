// name: holders_of_nodes
// access: read
// params: rows
// lists: rows
// slots: label held
// returns: rows
// plan: NodeUniqueIndexSeek !NodeByLabelScan !AllNodesScan
// internal: hidden
// Finds the nodes of a label that have the values of a unique key; each row is the values, and the slot held compares them: see
// cypher.Held. The result has the index of the row and the element id of the node.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MATCH (n:{{label}}) WHERE {{held}}
  AND {{>visible_node n}}
RETURN collect([i, elementId(n)]) AS rows
