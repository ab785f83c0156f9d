// name: doctor_unlabelled
// access: read
// params: -
// returns: total
// plan: AllNodesScan
// internal: none - a node without labels has no internal label
// Counts the nodes without labels. No index and no count in the count store covers them.
MATCH (n)
WHERE size(labels(n)) = 0
RETURN count(n) AS total
