// name: create_edges_keyed
// access: write
// params: rows now expires audit journal
// lists: rows
// slots: id
// returns: rows
// plan: NodeByElementIdSeek !AllNodesScan !NodeByLabelScan
// internal: hidden
// Creates relationships under an idempotency key: see create_edges and create_nodes_keyed. A key is consumed only if both ends were found;
// otherwise a key that refers to no entity is left unchanged.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
OPTIONAL MATCH (a) WHERE elementId(a) = row.source
  AND (row.source_id IS NULL OR a.{{id}} = row.source_id) AND {{>visible_node a}}
OPTIONAL MATCH (b) WHERE elementId(b) = row.target
  AND (row.target_id IS NULL OR b.{{id}} = row.target_id) AND {{>visible_node b}}
MERGE (k:_GraphrestIdempotencyKey {key: row.key})
SET k += {}
WITH i, row, a, b, k, k.id IS NULL OR k.expires_at <= $now AS first
WITH i, row, a, b, k, first AND a IS NOT NULL AND b IS NOT NULL AS make, k.id IS NULL AND (a IS NULL OR b IS NULL) AS unused
FOREACH (_ IN CASE WHEN make THEN [1] ELSE [] END |
  SET k.id = row.id, k.fingerprint = row.fingerprint, k.expires_at = $expires)
WITH i, row, a, b, k, make, unused, k.id AS id, k.fingerprint AS fingerprint
FOREACH (gone IN CASE WHEN unused THEN [k] ELSE [] END | DELETE gone)
WITH i, row, a, b, make, id, fingerprint
CALL (row, a, b, make) {
  WITH row, a, b, $journal AS journal WHERE make
  CREATE (a)-[r:$(row.type)]->(b)
  SET r = row.properties
{{>edge_change}}
  RETURN collect(elementId(r))[0] AS created
}
WITH collect([i, created, a IS NOT NULL, b IS NOT NULL, id, fingerprint]) AS rows,
  collect(CASE WHEN created IS NOT NULL THEN [i, row.type] END) AS done
{{>audit}}
RETURN rows
