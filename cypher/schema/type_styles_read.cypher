// name: type_styles_read
// access: read
// params: -
// returns: style
// plan: NodeByLabelScan !AllNodesScan
// internal: only - styles of types
// Reads all styles, of which there are at most graph.MaxTypeStyles.
MATCH (t:_GraphrestTypeStyle)
RETURN properties(t) AS style
