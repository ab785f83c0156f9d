// name: create_nodes_keyed
// access: write
// params: rows now expires audit
// returns: rows
// plan: Create !AllNodesScan !NodeByLabelScan
// internal: only - besides the new nodes it works on idempotency keys only
// Nodes made under an idempotency key, each {type, properties, id, key, fingerprint}; no key twice in a batch. The key's
// lock is taken before it is read, so that parallel requests with one key make one node. A row says which id the key stands
// for, with which fingerprint, and where the node is if this row made it.
UNWIND range(0, size($rows[0]) - 1) AS i
WITH i, $rows[0][i] AS row
MERGE (k:_GraphrestIdempotencyKey {key: row.key})
SET k += {}
WITH i, row, k, k.id IS NULL OR k.expires_at <= $now AS first
FOREACH (_ IN CASE WHEN first THEN [1] ELSE [] END |
  SET k.id = row.id, k.fingerprint = row.fingerprint, k.expires_at = $expires)
WITH i, row, k, first
CALL (row, first) {
  WITH row WHERE first
  CREATE (n:$(row.type))
  SET n = row.properties
  RETURN collect(elementId(n))[0] AS made
}
WITH collect([i, made, k.id, k.fingerprint]) AS rows, collect(CASE WHEN made IS NOT NULL THEN [i, row.type] END) AS done
{{>audit}}
RETURN rows
