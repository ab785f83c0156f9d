// name: schema_internal_edges
// access: read
// params: -
// slots: internal
// returns: type uses
// plan: !AllNodesScan !DirectedAllRelationshipsScan
// internal: only - counts relationships at internal nodes by type, to be subtracted from the count store's counts
MATCH (n:{{internal}})-[r]-()
WITH DISTINCT r
RETURN type(r) AS type, count(*) AS uses
