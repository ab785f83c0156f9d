// name: auth_purge_deleted
// access: write
// params: keep limit
// returns: removed
// plan: !AllNodesScan
// internal: own - records of deletions older than $keep seconds by the database's clock
MATCH (d:_GraphrestDeletedUser) WHERE d.at < timestamp() - $keep * 1000
WITH d LIMIT $limit
DELETE d
RETURN count(*) AS removed
