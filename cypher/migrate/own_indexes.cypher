// name: own_indexes
// access: read
// params: -
// returns: constraint name
// plan: -
// internal: own - the gateway's own indexes, those of constraints included, with the name of the constraint
SHOW INDEXES YIELD name, owningConstraint
WHERE name STARTS WITH '_Graphrest'
RETURN owningConstraint AS constraint, name
