// name: webhook_wanted
// access: read
// params: -
// returns: version enabled wanted
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - it works on webhooks
// Whether there is an enabled webhook and nobody holds the lease. The version is read first, so that the count is of it or a later one.
OPTIONAL MATCH (s:_GraphrestState {name: 'webhooks'})
WITH coalesce(s.version, 0) AS version, coalesce(s.until, 0) <= timestamp() AS free
CALL () {
  MATCH (w:_GraphrestWebhook) WHERE w.enabled
  RETURN count(w) AS enabled
}
RETURN version, enabled, free AND enabled > 0 AS wanted
