// name: list_nodes_total_all
// access: read
// params: -
// slots: internal records
// returns: total labels types
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 1200
// internal: hidden by subtraction - as in list_nodes_total
// Counts the visible nodes. Each internal label in use is in the slot internal, whose nodes are found by a label scan, or in the slot
// records, an expression that counts its nodes in the count store. The names are those of
// list_nodes_total.
CALL { MATCH (n) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) RETURN count(n) AS hidden }
CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
RETURN every - hidden - ({{records}}) AS total, labels, types
