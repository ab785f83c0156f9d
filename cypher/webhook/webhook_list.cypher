// name: webhook_list
// access: read
// params: -
// returns: webhook
// plan: !AllNodesScan
// internal: only - it works on webhooks, of which there are few
// All webhooks by name.
MATCH (w:_GraphrestWebhook)
RETURN properties(w) AS webhook ORDER BY w.name
