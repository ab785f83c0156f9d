// name: unfinished_constraints
// access: read
// params: names
// returns: name populating
// plan: -
// internal: own - indexes whose names are those of constraints that do not exist; not those whose entities are still being read
SHOW INDEXES YIELD name, state, owningConstraint, populationPercent
WHERE name IN $names AND owningConstraint IS NULL AND (state <> 'POPULATING' OR populationPercent = 100)
RETURN name, state = 'POPULATING' AS populating
