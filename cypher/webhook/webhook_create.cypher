// name: webhook_create
// access: write
// params: name row max_webhooks rows audit
// lists: rows
// returns: taken webhook
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - it works on webhooks
// Creates a webhook, unless the name is taken or there are $max_webhooks; then webhook is null.
MERGE (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s
OPTIONAL MATCH (same:_GraphrestWebhook {name: $name})
WITH s, same IS NOT NULL AS taken
CALL () {
  MATCH (w:_GraphrestWebhook)
  RETURN count(w) AS total
}
WITH s, taken, CASE WHEN taken OR total >= $max_webhooks THEN [] ELSE [[0, '']] END AS done
FOREACH (d IN done |
  SET s.version = coalesce(s.version, 0) + 1
  CREATE (w:_GraphrestWebhook)
  SET w = $row, w.name = $name, w.revision = s.version, w.created_at = timestamp(), w.updated_at = timestamp())
WITH taken, done
{{>audit}}
WITH taken, done
OPTIONAL MATCH (w:_GraphrestWebhook {name: $name}) WHERE size(done) > 0
RETURN taken, properties(w) AS webhook
