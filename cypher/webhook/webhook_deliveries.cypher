// name: webhook_deliveries
// access: read
// params: name state before limit
// returns: found
// plan: NodeUniqueIndexSeek NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on webhooks
// A page of a webhook's deliveries before a position, the newest change first. It returns no row if there is no such webhook.
MATCH (w:_GraphrestWebhook {name: $name})
CALL (w) {
  MATCH (d:_GraphrestDelivery) WHERE d.webhook = w.uid AND d.position < $before AND ($state = '' OR d.state = $state)
  WITH d ORDER BY d.webhook DESC, d.position DESC LIMIT $limit
  RETURN collect(properties(d)) AS found
}
RETURN found
