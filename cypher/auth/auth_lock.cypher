// name: auth_lock
// access: write
// params: -
// returns: locked
// plan: NodeUniqueIndexSeek SetProperty !AllNodesScan
// internal: own - the state node of users and revocations
// Takes the state node's write lock until the transaction ends, so that changes of users and revocations happen one after
// another. The version is read and raised by the next statement, which runs under the lock.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
RETURN s.locked AS locked
