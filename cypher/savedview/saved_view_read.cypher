// name: saved_view_read
// access: read
// params: id user roles
// returns: view owner shared
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved views
// One saved view, if the user may read it.
MATCH (v:_GraphrestSavedView {id: $id})
WITH v, [(v)-[:_GraphrestSharedWith]->(r:_GraphrestRole) | r.name] AS shared
WHERE v.owner_id = $user OR v.everyone = true OR any(name IN shared WHERE name IN $roles)
OPTIONAL MATCH (u:_GraphrestUser) WHERE u.id = v.owner_id
RETURN properties(v) AS view, u.username AS owner, shared
