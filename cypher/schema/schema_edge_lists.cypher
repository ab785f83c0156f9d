// name: schema_edge_lists
// access: read
// params: names limit max_length view
// slots: type shown
// returns: name longer min max
// plan: DirectedRelationshipTypeScan Limit !AllNodesScan
// internal: hidden
// Returns the smallest and the largest value of properties for which valueType() returns a list of integers, in up to $limit relationships
// of a type that show them, except values that are too long. Byte arrays have the same value type; only the driver distinguishes them.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_type r}}
  AND {{>visible_node a}}
  AND {{>visible_node b}}
WITH r LIMIT $limit
UNWIND $names AS k
WITH r, k WHERE {{shown}}
WITH k AS name, r[k] AS value
WHERE value IS :: LIST<INTEGER NOT NULL> NOT NULL
WITH name, size(value) > $max_length AS long, value
RETURN name, sum(CASE WHEN long THEN 1 ELSE 0 END) AS longer,
       min(CASE WHEN NOT long THEN value END) AS min, max(CASE WHEN NOT long THEN value END) AS max
