// name: update_edges
// access: write
// params: rows validated_types audit journal
// lists: rows validated_types
// slots: id
// returns: rows
// plan: DirectedRelationshipByElementIdSeek !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// Updates of relationships: see update_nodes.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MATCH (a)-[r]->(b) WHERE elementId(r) = row.element
SET r += {}
WITH i, row, a, r, b, type(r) IN $validated_types[0] AS skipped,
  CASE WHEN NOT type(r) IN $validated_types[0] THEN $journal END AS journal
WHERE (row.id IS NULL OR r.{{id}} = row.id)
  AND {{>visible_edge}}
{{>edge_change}}
SET r += CASE WHEN skipped THEN {} ELSE row.clear END
SET r += CASE WHEN skipped THEN {} ELSE row.set END
WITH collect([i, elementId(r), type(r), CASE WHEN skipped THEN null ELSE r {.*} END, elementId(a), labels(a), a.{{id}},
    elementId(b), labels(b), b.{{id}}]) AS rows,
  collect(CASE WHEN skipped THEN null ELSE [i, type(r)] END) AS done
{{>audit}}
WITH rows
UNWIND range(0, size(rows) - 1, 8) AS first
RETURN rows[first..first + 8] AS rows
