// name: webhook_backlog
// access: read
// params: uid
// returns: cursor found
// plan: NodeUniqueIndexSeek NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on webhooks
// Where a webhook stands. Times are relative to now, in milliseconds, so that the reader's clock does not matter.
MATCH (w:_GraphrestWebhook {uid: $uid})
CALL (w) {
  MATCH (d:_GraphrestDelivery) WHERE d.webhook = w.uid AND d.position > 0 AND d.state <> 'dead'
  WITH d ORDER BY d.webhook, d.position
  RETURN collect(d {.*, wait: d.next_at - timestamp(), age: timestamp() - d.created_at}) AS found
}
RETURN w.cursor AS cursor, found
