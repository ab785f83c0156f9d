// name: doctor_unlabelled
// access: read
// params: -
// returns: total
// plan: AllNodesScan
// internal: none - a node without labels has no internal label
// How many nodes have no label. No index and no count knows them.
MATCH (n)
WHERE size(labels(n)) = 0
RETURN count(n) AS total
