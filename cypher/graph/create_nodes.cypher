// name: create_nodes
// access: write
// params: rows audit journal
// lists: rows
// returns: rows
// plan: Create !AllNodesScan
// internal: none - it creates nodes of types that the domain accepts and reads nothing
// Creates nodes; each row is {type, properties}, with the id among the properties.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row, $journal AS journal
CREATE (n:$(row.type))
SET n = row.properties
{{>node_change}}
WITH collect([i, elementId(n)]) AS rows, collect([i, row.type]) AS done
{{>audit}}
RETURN rows
