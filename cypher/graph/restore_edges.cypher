// name: restore_edges
// access: write
// params: rows audit journal
// lists: rows
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Creates deleted relationships again with the properties of a record; each row is {record, deletion, type, source, target} with the
// element ids of its ends: see restore_nodes. A row without a result was restored meanwhile, or has an end that does not exist.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row, $journal AS journal
MATCH (old) WHERE elementId(old) = row.record
MATCH (gone) WHERE elementId(gone) = row.deletion
SET gone += {}
WITH i, row, journal, old, gone
WHERE old:_GraphrestChange AND gone:_GraphrestChange AND (gone._graphrest_trash IS NOT NULL OR gone._graphrest_with IS NOT NULL)
MATCH (a) WHERE elementId(a) = row.source AND {{>visible_node a}}
MATCH (b) WHERE elementId(b) = row.target AND {{>visible_node b}}
CREATE (a)-[r:$(row.type)]->(b)
FOREACH (k IN [k IN keys(old) WHERE k STARTS WITH '_graphrest.'] | SET r[substring(k, 11)] = old[k])
REMOVE gone._graphrest_trash, gone._graphrest_with
{{>edge_change}}
WITH collect([i, elementId(r)]) AS rows, collect([i, row.type]) AS done
{{>audit}}
RETURN rows
