// name: list_nodes_total_all
// access: read
// params: -
// slots: internal
// returns: total
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 1200
// internal: hidden by subtraction - as in list_nodes_total
// Counts the visible nodes. The slot internal contains every internal label in use.
CALL { MATCH (n) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) RETURN count(n) AS hidden }
RETURN every - hidden AS total
