// name: list_nodes_total
// access: read
// params: -
// slots: type internal
// returns: total labels types
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 200
// internal: hidden by subtraction - the count store counts all; nodes with an internal label are found by a label scan
// Counts the visible nodes with a label. The slot internal contains the internal labels in use whose nodes may have the label. It returns
// the names in use as well, by which the caller verifies its slots: see names_in_use.
CALL { MATCH (n:{{type}}) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) WHERE n:{{type}} RETURN count(n) AS hidden }
CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
RETURN every - hidden AS total, labels, types
