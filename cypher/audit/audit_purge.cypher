// name: audit_purge
// access: write
// params: keep limit
// returns: removed
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: own - entries older than $keep milliseconds by the database's clock
// The state node's lock keeps replicas from removing the same entries concurrently.
MERGE (s:_GraphrestState {name: 'audit'})
SET s += {}
WITH s
CALL () {
  MATCH (e:_GraphrestAudit) WHERE e.at < timestamp() - $keep
  WITH e LIMIT $limit
  DELETE e
  RETURN count(*) AS removed
}
RETURN removed
