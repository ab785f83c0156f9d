// name: list_nodes_total
// access: read
// params: -
// slots: type internal
// returns: total
// plan: NodeCountFromCountStore !AllNodesScan
// internal: hidden by subtraction - the count store counts all; those with an internal label are few and found by a label scan
// How many visible nodes have a label. The slot internal holds every internal label in use.
CALL { MATCH (n:{{type}}) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) WHERE n:{{type}} RETURN count(n) AS hidden }
RETURN every - hidden AS total
