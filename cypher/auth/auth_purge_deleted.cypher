// name: auth_purge_deleted
// access: write
// params: keep limit
// returns: removed
// plan: !AllNodesScan
// internal: own - records of deletions made more than keep seconds ago by the database's clock
MATCH (d:_GraphrestDeletedUser) WHERE d.at < timestamp() - $keep * 1000
WITH d LIMIT $limit
DELETE d
RETURN count(*) AS removed
