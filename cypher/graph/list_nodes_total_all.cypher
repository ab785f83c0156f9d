// name: list_nodes_total_all
// access: read
// params: verify
// slots: internal records
// returns: total labels
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 1200
// internal: hidden by subtraction - as in list_nodes_total
// Counts the visible nodes. Each internal label in use is in the slot internal, whose nodes are found by a label scan, or in the slot
// records, an expression that counts its nodes in the count store. $verify is that of list_nodes_total.
CALL { MATCH (n) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) RETURN count(n) AS hidden }
{{>internal_labels}}
RETURN every - hidden - ({{records}}) AS total, labels
