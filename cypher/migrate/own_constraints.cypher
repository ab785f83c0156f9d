// name: own_constraints
// access: read
// params: -
// returns: name type labels properties
// plan: -
// internal: own - the gateway's own constraints
SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties
WHERE name STARTS WITH '_Graphrest'
RETURN name, type, labelsOrTypes AS labels, properties
