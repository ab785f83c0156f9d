// name: list_edges_total
// access: read
// params: verify
// slots: type internal records
// returns: total at_records labels
// plan: RelationshipCountFromCountStore !AllNodesScan !DirectedAllRelationshipsScan
// hits: 3000
// internal: hidden by subtraction - the count store counts all; relationships at an internal node are found from that node
// Counts the visible relationships of a type. Each internal label in use is in the slot internal, or in the slot records, an expression that
// counts the relationships at its nodes in the count store: if at_records is not 0, total contains internal relationships. $verify is
// that of list_nodes_total.
CALL { MATCH ()-[r:{{type}}]->() RETURN count(r) AS every }
CALL { MATCH (a:{{internal}})-[r:{{type}}]-() RETURN count(DISTINCT r) AS hidden }
{{>internal_labels}}
RETURN every - hidden AS total, {{records}} AS at_records, labels
