// name: schema_indexes
// access: read
// params: -
// returns: name kind entity types properties state
// plan: -
// internal: none - reads the schema only; the caller leaves the internal part out
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state
RETURN name, type AS kind, entityType AS entity, labelsOrTypes AS types, properties, state
