// name: schema_indexes
// access: read
// params: -
// returns: name kind entity types properties state progress constraint reads last_read reads_since
// plan: -
// internal: none - reads the schema only; the caller excludes the internal part
// The server counts the reads of an index since reads_since and stores them about once a minute; before that they are null.
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state, populationPercent, owningConstraint, readCount, lastRead,
  trackedSince
RETURN name, type AS kind, entityType AS entity, labelsOrTypes AS types, properties, state, populationPercent AS progress,
       owningConstraint AS constraint, readCount AS reads, lastRead AS last_read, trackedSince AS reads_since
