// name: webhook_retry
// access: write
// params: name id rows audit
// lists: rows
// returns: id
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan !NodeByLabelScan
// internal: only - it works on webhooks
// Lets a delivery begin again, at once. It returns no row if there is none.
MERGE (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s
MATCH (w:_GraphrestWebhook {name: $name})
MATCH (d:_GraphrestDelivery {id: $id}) WHERE d.webhook = w.uid
SET s.version = coalesce(s.version, 0) + 1
SET w.revision = s.version, d.state = 'pending', d.attempts = 0, d.created_at = timestamp(), d.next_at = timestamp()
WITH d, [[0, '']] AS done
{{>audit}}
RETURN d.id AS id
