// name: list_shapes_read
// access: read
// params: since
// returns: key count elapsed saved
// plan: NodeByLabelScan !AllNodesScan
// internal: only - it counts slow lists
MATCH (a:_GraphrestListShape) WHERE a.at > $since
RETURN a.key AS key, a.count AS count, a.elapsed AS elapsed, a.saved AS saved
