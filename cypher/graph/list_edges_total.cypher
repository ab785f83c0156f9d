// name: list_edges_total
// access: read
// params: -
// slots: type internal
// returns: total
// plan: RelationshipCountFromCountStore !AllNodesScan !DirectedAllRelationshipsScan
// hits: 3000
// internal: hidden by subtraction - the count store counts all; relationships at an internal node are found from that node
// Counts the visible relationships of a type. The slot internal contains every internal label in use.
CALL { MATCH ()-[r:{{type}}]->() RETURN count(r) AS every }
CALL { MATCH (a:{{internal}})-[r:{{type}}]-() RETURN count(DISTINCT r) AS hidden }
RETURN every - hidden AS total
