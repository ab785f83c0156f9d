// name: create_nodes_keyed
// access: write
// params: rows now expires audit journal
// lists: rows
// returns: rows
// plan: Create !AllNodesScan !NodeByLabelScan
// internal: only - besides the new nodes it works on idempotency keys
// Creates nodes under an idempotency key; each row is {type, properties, id, key, fingerprint}, and no key occurs twice in a batch. The key
// is locked before it is read, so that concurrent requests with one key create one node. A result row has the id and the fingerprint that
// the key refers to, and the node's element id if this row created it.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MERGE (k:_GraphrestIdempotencyKey {key: row.key})
SET k += {}
WITH i, row, k, k.id IS NULL OR k.expires_at <= $now AS first
FOREACH (_ IN CASE WHEN first THEN [1] ELSE [] END |
  SET k.id = row.id, k.fingerprint = row.fingerprint, k.expires_at = $expires)
WITH i, row, k, first
CALL (row, first) {
  WITH row, $journal AS journal WHERE first
  CREATE (n:$(row.type))
  SET n = row.properties
{{>node_change}}
  RETURN collect(elementId(n))[0] AS created
}
WITH collect([i, created, k.id, k.fingerprint]) AS rows, collect(CASE WHEN created IS NOT NULL THEN [i, row.type] END) AS done
{{>audit}}
RETURN rows
