// name: list_nodes_total
// access: read
// params: -
// slots: type internal
// returns: total
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 200
// internal: hidden by subtraction - the count store counts all; nodes with an internal label are found by a label scan
// Counts the visible nodes with a label. The slot internal contains the internal labels in use whose nodes may have the label.
CALL { MATCH (n:{{type}}) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) WHERE n:{{type}} RETURN count(n) AS hidden }
RETURN every - hidden AS total
