// name: adopt_nodes
// access: write
// params: rows
// slots: type id
// returns: total
// plan: NodeByElementIdSeek !AllNodesScan !NodeByLabelScan
// internal: hidden
// Assigns ids to nodes; each row is {element, id}. SET n += {} takes the write lock and changes nothing. Only then are the label and the
// missing id checked, so that of two concurrent runs of adopt one is a no-op for the node.
UNWIND $rows[0] AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += {}
WITH n, row
WHERE n:{{type}} AND n.{{id}} IS NULL AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
SET n.{{id}} = row.id
RETURN count(n) AS total
