// name: import_nodes
// access: write
// params: rows
// returns: rows
// plan: Create !AllNodesScan
// internal: none - it makes nodes of types that the domain accepts and reads nothing
// Nodes with any number of labels, each {labels, properties}, the id among the properties.
UNWIND range(0, size($rows) - 1) AS i
WITH i, $rows[i] AS row
CREATE (n:$(row.labels))
SET n = row.properties
RETURN collect([i, elementId(n)]) AS rows
