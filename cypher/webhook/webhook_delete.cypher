// name: webhook_delete
// access: write
// params: name rows audit
// lists: rows
// returns: removed
// plan: NodeUniqueIndexSeek/MergeUniqueNode NodeIndexSeek !AllNodesScan
// internal: only - it works on webhooks
// Removes a webhook and its deliveries. It returns no row if there is none.
MERGE (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s
MATCH (w:_GraphrestWebhook {name: $name})
SET s.version = coalesce(s.version, 0) + 1
WITH w, w.uid AS uid
DELETE w
WITH uid, [[0, '']] AS done
CALL (uid) {
  MATCH (d:_GraphrestDelivery) WHERE d.webhook = uid AND d.position > 0
  DELETE d
  RETURN count(*) AS removed
}
WITH done, removed
{{>audit}}
RETURN removed
