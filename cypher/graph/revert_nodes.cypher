// name: revert_nodes
// access: write
// params: rows audit journal
// lists: rows
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Gives nodes the properties of a record; each row is {element, record}. All properties are removed first, because Neo4j treats setting 0.0
// to -0.0 as no change.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row, $journal AS journal
MATCH (old) WHERE elementId(old) = row.record
WITH i, row, journal, old WHERE old:_GraphrestChange
MATCH (n) WHERE elementId(n) = row.element
  AND {{>visible_node n}}
{{>node_change}}
SET n = {}
FOREACH (k IN [k IN keys(old) WHERE k STARTS WITH '_graphrest.'] | SET n[substring(k, 11)] = old[k])
WITH collect([i, elementId(n)]) AS rows, collect([i, coalesce(labels(n)[0], '')]) AS done
{{>audit}}
RETURN rows
