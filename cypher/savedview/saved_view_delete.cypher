// name: saved_view_delete
// access: write
// params: id user roles admin versions rows audit
// lists: rows
// returns: allowed matches
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved views
// Removes a saved view of the user, or any for an administrator, if it has one of $versions (null: any). It returns no row if there is none
// that the user may read or remove.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
WITH s
MATCH (v:_GraphrestSavedView {id: $id})
WITH v, [(v)-[:_GraphrestSharedWith]->(r:_GraphrestRole) | r.name] AS shared
WHERE $admin OR v.owner_id = $user OR v.everyone = true OR any(name IN shared WHERE name IN $roles)
WITH v, $admin OR v.owner_id = $user AS allowed, $versions IS NULL OR v.version IN $versions AS matches
WITH v, allowed, matches, CASE WHEN allowed AND matches THEN [[0, '']] ELSE [] END AS done
FOREACH (_ IN done | DETACH DELETE v)
WITH allowed, matches, done
{{>audit}}
RETURN allowed, matches
