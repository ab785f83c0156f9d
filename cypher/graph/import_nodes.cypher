// name: import_nodes
// access: write
// params: rows audit journal
// lists: rows
// returns: rows
// plan: Create !AllNodesScan
// internal: none - it creates nodes of types that the domain accepts and reads nothing
// Creates nodes with any number of labels; each row is {labels, properties, line}, with the id among the properties. The audit line of a
// node without a label ends before the id, because such a node has no own id; its element id is appended.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row, $journal AS journal
CREATE (n:$(row.labels))
SET n = row.properties
{{>node_change}}
WITH collect([i, elementId(n)]) AS rows, collect([i, CASE WHEN row.labels = [] THEN elementId(n) + '\t\t' ELSE row.labels[0] END]) AS done
{{>audit}}
RETURN rows
