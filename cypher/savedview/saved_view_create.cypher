// name: saved_view_create
// access: write
// params: id user max shared row rows audit
// lists: rows
// returns: view owner shared unknown
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved views, their owner and roles
// Creates a saved view and shares it with the roles $shared, unless one of them does not exist or the owner has $max; then view is null. It
// does nothing if it was created by an attempt whose outcome was unknown. It returns no row if there is no such user.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
WITH s
MATCH (u:_GraphrestUser {id: $user})
CALL () {
  MATCH (r:_GraphrestRole) WHERE r.name IN $shared
  RETURN collect(r) AS found
}
CALL () {
  MATCH (o:_GraphrestSavedView) WHERE o.owner_id = $user
  RETURN count(o) AS total, coalesce(sum(CASE WHEN o.id = $id THEN 1 END), 0) > 0 AS repeated
}
WITH u, found, total, repeated, size(found) < size($shared) AS unknown
WITH u, found, unknown, CASE WHEN repeated OR unknown OR total >= $max THEN [] ELSE [[0, '']] END AS done
FOREACH (_ IN done |
  CREATE (v:_GraphrestSavedView)
  SET v = $row, v.id = $id, v.owner_id = $user, v.version = 1, v.created_at = timestamp(), v.updated_at = timestamp()
  FOREACH (r IN found | CREATE (v)-[:_GraphrestSharedWith]->(r)))
WITH u, unknown, done
{{>audit}}
WITH u, unknown
OPTIONAL MATCH (v:_GraphrestSavedView {id: $id})
RETURN properties(v) AS view, u.username AS owner, [(v)-[:_GraphrestSharedWith]->(r:_GraphrestRole) | r.name] AS shared, unknown
