// name: init_state
// access: write
// params: permissions
// returns: version
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: own - the state node and the permissions
// _GraphrestLock is set and taken away again, so that the database knows the property key: writes take an entity's lock by
// removing a property that it does not have, which works only with a key that is known.
MERGE (s:_GraphrestState {name: 'auth'})
ON CREATE SET s.version = 0
SET s.version = coalesce(s.version, 0), s._GraphrestLock = true
REMOVE s._GraphrestLock
WITH s
CALL () {
  UNWIND $permissions AS name
  MERGE (:_GraphrestPermission {name: name})
}
RETURN s.version AS version
