// name: webhook_read
// access: read
// params: name
// returns: webhook
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on webhooks
// One webhook by its name.
MATCH (w:_GraphrestWebhook {name: $name})
RETURN properties(w) AS webhook
