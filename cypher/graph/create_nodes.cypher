// name: create_nodes
// access: write
// params: rows
// returns: rows
// plan: Create !AllNodesScan
// internal: none - it makes nodes of types that the domain accepts and reads nothing
// Nodes, each {type, properties}, the id among the properties.
UNWIND range(0, size($rows) - 1) AS i
WITH i, $rows[i] AS row
CREATE (n:$(row.type))
SET n = row.properties
RETURN collect([i, elementId(n)]) AS rows
