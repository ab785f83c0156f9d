// name: unfinished_constraints
// access: read
// params: names
// returns: name
// plan: -
// internal: own - indexes whose names are those of constraints that do not exist; not those that are being built
SHOW INDEXES YIELD name, state, owningConstraint
WHERE name IN $names AND owningConstraint IS NULL AND state <> 'POPULATING'
RETURN name
