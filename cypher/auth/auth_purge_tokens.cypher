// name: auth_purge_tokens
// access: write
// params: keep limit
// returns: removed
// plan: !AllNodesScan
// internal: own - deleted service tokens that expired more than $keep seconds ago by the database's clock
MATCH (t:_GraphrestServiceToken)
WHERE t.deleted_at IS NOT NULL AND t.expires_at < datetime() - duration({seconds: $keep})
WITH t LIMIT $limit
DETACH DELETE t
RETURN count(*) AS removed
