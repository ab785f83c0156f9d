// name: saved_view_list
// access: read
// params: user roles page own before limit
// returns: view owner shared
// plan: NodeIndexSeek/NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved views
// The saved views before an id that a user may read, newest first, without their states: those of the user, those that are shared with
// everyone, and those that are shared with roles of the user. $own selects those of the user or those of others; null both.
CALL () {
  MATCH (v:_GraphrestSavedView) WHERE v.owner_id = $user
  RETURN v
  UNION
  MATCH (v:_GraphrestSavedView) WHERE v.everyone = true
  RETURN v
  UNION
  UNWIND $roles AS name
  MATCH (v:_GraphrestSavedView)-[:_GraphrestSharedWith]->(r:_GraphrestRole) WHERE r.name = name
  RETURN v
}
WITH v WHERE v.id < $before AND ($page = '' OR v.page = $page) AND ($own IS NULL OR $own = (v.owner_id = $user))
WITH v ORDER BY v.id DESC LIMIT $limit
OPTIONAL MATCH (u:_GraphrestUser) WHERE u.id = v.owner_id
WITH v, u
RETURN v {.id, .owner_id, .name, .description, .page, .everyone, .version, .created_at, .updated_at} AS view, u.username AS owner,
  [(v)-[:_GraphrestSharedWith]->(r:_GraphrestRole) | r.name] AS shared
ORDER BY v.id DESC
