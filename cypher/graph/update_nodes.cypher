// name: update_nodes
// access: write
// params: rows validated_types audit journal
// lists: rows validated_types
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Updates nodes; each row is {element, id, clear, set}, where id is null for a node without its own id. SET n += {} takes the write lock
// and changes nothing (TestLocks); what follows is read under the lock. A row without a result was not found. Labels are read before the
// change, because afterwards the transaction returns them in another order. clear is applied first, because Neo4j treats setting 0.0 to
// -0.0 as no change. A node with a label among $validated_types is not changed, and its result has no properties: its new content must be
// validated first. A record contains the rows of up to 8 results: see neo4jentity.RowsPerPart.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += {}
WITH i, row, n, labels(n) AS labels, any(l IN labels(n) WHERE l IN $validated_types[0]) AS skipped,
  CASE WHEN NOT any(l IN labels(n) WHERE l IN $validated_types[0]) THEN $journal END AS journal
WHERE (row.id IS NULL OR n.{{id}} = row.id) AND {{>visible_labels labels}}
{{>node_change}}
SET n += CASE WHEN skipped THEN {} ELSE row.clear END
SET n += CASE WHEN skipped THEN {} ELSE row.set END
WITH collect([i, elementId(n), labels, CASE WHEN skipped THEN null ELSE n {.*} END]) AS rows,
  collect(CASE WHEN skipped THEN null ELSE [i, coalesce(labels[0], '')] END) AS done
{{>audit}}
WITH rows
UNWIND range(0, size(rows) - 1, 8) AS first
RETURN rows[first..first + 8] AS rows
