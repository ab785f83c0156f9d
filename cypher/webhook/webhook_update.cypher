// name: webhook_update
// access: write
// params: name changes revision rows audit
// lists: rows
// returns: webhook
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: only - it works on webhooks
// Changes members of a webhook. It returns no row if there is none, or if $revision is given and another.
MERGE (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s
MATCH (w:_GraphrestWebhook {name: $name}) WHERE $revision IS NULL OR w.revision = $revision
SET s.version = coalesce(s.version, 0) + 1
SET w += $changes, w.revision = s.version, w.updated_at = timestamp()
WITH w, [[0, '']] AS done
{{>audit}}
RETURN properties(w) AS webhook
