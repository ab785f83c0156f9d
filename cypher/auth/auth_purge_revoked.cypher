// name: auth_purge_revoked
// access: write
// params: keep limit
// returns: removed
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: own - revocations that expired more than $keep seconds ago by the database's clock
MATCH (t:_GraphrestRevokedToken) WHERE t.expires_at < timestamp() / 1000 - $keep
WITH t LIMIT $limit
DELETE t
RETURN count(*) AS removed
