// name: webhook_wanted
// access: read
// params: -
// returns: wanted
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - it works on webhooks
// Whether there is an enabled webhook and nobody holds the lease.
OPTIONAL MATCH (s:_GraphrestState {name: 'webhooks'})
WITH coalesce(s.until, 0) <= timestamp() AS free
CALL () {
  MATCH (w:_GraphrestWebhook) WHERE w.enabled
  RETURN count(w) AS enabled
}
RETURN free AND enabled > 0 AS wanted
