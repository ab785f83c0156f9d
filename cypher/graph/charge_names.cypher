// name: charge_names
// access: write
// params: key expires types keys max_types max_keys
// returns: charged types keys
// plan: NodeUniqueIndexSeek/MergeUniqueNode SetProperty !AllNodesScan
// internal: only - how many new names one user has added on one day
// Counts a request's new names: all or none. A request without new names of a kind is never rejected for that kind, even after the limit
// was lowered. SET takes the lock before the counts are read, so that replicas cannot overspend the budget together.
MERGE (b:_GraphrestNameBudget {key: $key})
ON CREATE SET b.types = 0, b.keys = 0
SET b.expires_at = $expires
WITH b, ($types = 0 OR b.types + $types <= $max_types) AND ($keys = 0 OR b.keys + $keys <= $max_keys) AS charged
SET b.types = b.types + CASE WHEN charged THEN $types ELSE 0 END, b.keys = b.keys + CASE WHEN charged THEN $keys ELSE 0 END
RETURN charged, b.types AS types, b.keys AS keys
