// name: schema_internal_nodes
// access: read
// params: -
// slots: internal
// returns: type uses
// plan: !AllNodesScan
// internal: only - counts internal nodes by label, to be subtracted from the count store's counts
MATCH (n:{{internal}})
UNWIND labels(n) AS type
RETURN type, count(*) AS uses
