// name: list_nodes_total
// access: read
// params: verify type
// slots: type internal
// returns: total labels
// plan: NodeCountFromCountStore !AllNodesScan
// hits: 200
// internal: hidden by subtraction - the count store counts all; nodes with an internal label are found by a label scan
// Counts the visible nodes with a label. The slot internal contains the internal labels in use whose nodes may have the label. With
// $verify it returns the names in use by which the caller verifies its slots as well: the internal ones, and the label $type. A database
// may have many others.
CALL { MATCH (n:{{type}}) RETURN count(n) AS every }
CALL { MATCH (n:{{internal}}) WHERE n:{{type}} RETURN count(n) AS hidden }
CALL {
  UNWIND CASE WHEN $verify THEN [1] ELSE [] END AS once
  CALL db.labels() YIELD label WHERE toLower(label) STARTS WITH '_graphrest' OR label = $type
  RETURN collect(label) AS labels
}
RETURN every - hidden AS total, labels
