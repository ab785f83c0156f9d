// name: data_layout
// access: read
// params: -
// returns: layout
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: own - the form of internal data that a gateway has recorded
MATCH (s:_GraphrestState {name: 'auth'})
RETURN coalesce(s.layout, 0) AS layout
