// name: update_nodes
// access: write
// params: rows checked audit
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Updates of nodes, each {element, id, clear, set}; id is null for a node without one of its own. SET n += {} takes
// the write lock and changes nothing (TestLocks); what follows is read under it. A row that is not answered
// was not found. Labels are taken before the change: after it the transaction has them in another order. clear comes first
// because Neo4j takes -0.0 over 0.0 for no change. A node with a label among $checked is left as it is and answered without properties:
// what it is to hold must be looked at before. A record holds the rows of up to 8 answers: see neo4jstore.rowsPerPart.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += {}
WITH i, row, n, labels(n) AS labels, any(l IN labels(n) WHERE l IN $checked[0]) AS looked
WHERE (row.id IS NULL OR n.{{id}} = row.id) AND none(l IN labels WHERE toLower(l) STARTS WITH '_graphrest')
SET n += CASE WHEN looked THEN {} ELSE row.clear END
SET n += CASE WHEN looked THEN {} ELSE row.set END
WITH collect([i, elementId(n), labels, CASE WHEN looked THEN null ELSE properties(n) END]) AS rows,
  collect(CASE WHEN looked THEN null ELSE [i, coalesce(labels[0], '')] END) AS done
{{>audit}}
WITH rows
UNWIND range(0, size(rows) - 1, 8) AS first
RETURN rows[first..first + 8] AS rows
