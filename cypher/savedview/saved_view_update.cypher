// name: saved_view_update
// access: write
// params: id user roles versions set share shared allowed write rows audit
// lists: rows
// returns: view owner shared own matches unknown
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved views, their owner and roles
// Changes a saved view of the user if it has one of $versions (null: any), and shares it with the roles $shared instead if $share is true. A
// role must be one of $allowed (null: any) or one that it is shared with already. It returns no row if the user may not read it. An attempt
// that is repeated because its outcome was unknown is recognized by $write.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
WITH s
MATCH (v:_GraphrestSavedView {id: $id})
WITH v, [(v)-[:_GraphrestSharedWith]->(r:_GraphrestRole) | r.name] AS before
WHERE v.owner_id = $user OR v.everyone = true OR any(name IN before WHERE name IN $roles)
CALL () {
  MATCH (r:_GraphrestRole) WHERE r.name IN $shared
  RETURN collect(r) AS found
}
WITH v, found, v.owner_id = $user AS own, coalesce(v.change = $write, false) AS repeated,
  $versions IS NULL OR v.version IN $versions AS matches,
  size([r IN found WHERE $allowed IS NULL OR r.name IN $allowed OR r.name IN before]) < size($shared) AS unknown
WITH v, found, own, matches OR repeated AS matches, unknown AND NOT repeated AS unknown,
  CASE WHEN own AND matches AND NOT unknown AND NOT repeated THEN [[0, '']] ELSE [] END AS done
CALL (v, done) {
  UNWIND done AS _
  MATCH (v)-[h:_GraphrestSharedWith]->() WHERE $share
  DELETE h
}
FOREACH (_ IN done |
  SET v += $set, v.version = v.version + 1, v.change = $write, v.updated_at = timestamp()
  FOREACH (r IN CASE WHEN $share THEN found ELSE [] END | CREATE (v)-[:_GraphrestSharedWith]->(r)))
WITH v, own, matches, unknown, done
{{>audit}}
WITH v, own, matches, unknown
OPTIONAL MATCH (u:_GraphrestUser {id: v.owner_id})
RETURN properties(v) AS view, u.username AS owner, [(v)-[:_GraphrestSharedWith]->(r:_GraphrestRole) | r.name] AS shared,
  own, matches, unknown
