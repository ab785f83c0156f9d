// name: revert_edges
// access: write
// params: rows audit journal
// lists: rows
// slots: id
// returns: rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Gives relationships the properties of a record: see revert_nodes.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row, $journal AS journal
MATCH (old) WHERE elementId(old) = row.record
WITH i, row, journal, old WHERE old:_GraphrestChange
MATCH (a)-[r]->(b) WHERE elementId(r) = row.element
  AND {{>visible_edge}}
{{>edge_change}}
SET r = {}
FOREACH (k IN [k IN keys(old) WHERE k STARTS WITH '_graphrest.'] | SET r[substring(k, 11)] = old[k])
WITH collect([i, elementId(r)]) AS rows, collect([i, type(r)]) AS done
{{>audit}}
RETURN rows
