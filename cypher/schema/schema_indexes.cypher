// name: schema_indexes
// access: read
// params: -
// returns: name kind entity types properties state progress constraint
// plan: -
// internal: none - reads the schema only; the caller excludes the internal part
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state, populationPercent, owningConstraint
RETURN name, type AS kind, entityType AS entity, labelsOrTypes AS types, properties, state, populationPercent AS progress,
       owningConstraint AS constraint
