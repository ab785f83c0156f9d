// name: restore_nodes
// access: write
// params: rows audit journal
// lists: rows
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Creates deleted nodes again with the labels and properties of a record; each row is {record, deletion, labels}, where deletion is the
// record of the deletion. It is locked, so that nothing is restored twice, and no longer in the trash. A row without a result was restored
// meanwhile.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row, $journal AS journal
MATCH (old) WHERE elementId(old) = row.record
MATCH (gone) WHERE elementId(gone) = row.deletion
SET gone += {}
WITH i, row, journal, old, gone
WHERE old:_GraphrestChange AND gone:_GraphrestChange AND (gone._graphrest_trash IS NOT NULL OR gone._graphrest_with IS NOT NULL)
CREATE (n:$(row.labels))
FOREACH (k IN [k IN keys(old) WHERE k STARTS WITH '_graphrest.'] | SET n[substring(k, 11)] = old[k])
REMOVE gone._graphrest_trash, gone._graphrest_with
{{>node_change}}
WITH i, row, n, labels(n) AS labels
WHERE {{>visible_node n}}
WITH collect([i, elementId(n)]) AS rows, collect([i, coalesce(labels[0], '')]) AS done
{{>audit}}
RETURN rows
