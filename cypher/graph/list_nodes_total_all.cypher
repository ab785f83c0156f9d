// name: list_nodes_total_all
// access: read
// params: verify
// slots: internal records counted
// returns: total labels
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 1300
// internal: hidden by subtraction - as in list_nodes_total
// Counts the visible nodes. Each internal label in use is in the slot internal, whose nodes are found by a label scan, or in the slot
// records, an expression that counts its nodes in the count store. No node has two labels of records; one that has a label of records,
// which are in the slot counted, and another internal label is subtracted once. As a condition of WHERE the slot would be planned as a scan
// of the records. $verify is that of list_nodes_total.
CALL { MATCH (n) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) RETURN sum(CASE WHEN n:{{counted}} THEN 0 ELSE 1 END) AS hidden }
{{>internal_labels}}
RETURN every - hidden - ({{records}}) AS total, labels
