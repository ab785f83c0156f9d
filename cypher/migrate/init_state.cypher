// name: init_state
// access: write
// params: permissions layout
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: own - the state node and the permissions
MERGE (s:_GraphrestState {name: 'auth'})
ON CREATE SET s.version = 0
SET s.version = coalesce(s.version, 0),
  s.layout = CASE WHEN s.layout > $layout THEN s.layout ELSE $layout END
WITH s
CALL () {
  UNWIND $permissions AS name
  MERGE (:_GraphrestPermission {name: name})
}
RETURN s.version AS version
