// name: auth_lock
// access: write
// params: -
// returns: locked
// plan: NodeUniqueIndexSeek SetProperty !AllNodesScan
// internal: own - the state node of users and revocations
// Takes the state node's write lock until the transaction ends, which serializes changes of users and revocations. The next statement reads
// and increments the version under the lock.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
RETURN s.locked AS locked
