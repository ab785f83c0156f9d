// name: schema_constraints
// access: read
// params: -
// returns: name kind entity types properties
// plan: -
// internal: none - reads the schema only; the caller excludes the internal part
SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type AS kind, entityType AS entity, labelsOrTypes AS types, properties
