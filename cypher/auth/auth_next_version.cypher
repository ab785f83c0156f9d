// name: auth_next_version
// access: write
// params: -
// returns: version
// plan: NodeUniqueIndexSeek SetProperty !AllNodesScan
// internal: own - the state node of users and revocations
MATCH (s:_GraphrestState {name: 'auth'})
SET s.version = s.version + 1
RETURN s.version AS version
