// name: schema_node_lists
// access: read
// params: names limit max_length view
// slots: type shown
// returns: name longer min max
// plan: NodeByLabelScan Limit !AllNodesScan
// internal: hidden
// Returns the smallest and the largest value of properties for which valueType() returns a list of integers, in up to $limit nodes of a
// label that show them, except values that are too long. Byte arrays have the same value type; only the driver distinguishes them.
MATCH (n:{{type}})
WHERE {{>visible_node n}}
WITH n LIMIT $limit
UNWIND $names AS k
WITH n, k WHERE {{shown}}
WITH k AS name, n[k] AS value
WHERE value IS :: LIST<INTEGER NOT NULL> NOT NULL
WITH name, size(value) > $max_length AS long, value
RETURN name, sum(CASE WHEN long THEN 1 ELSE 0 END) AS longer,
       min(CASE WHEN NOT long THEN value END) AS min, max(CASE WHEN NOT long THEN value END) AS max
