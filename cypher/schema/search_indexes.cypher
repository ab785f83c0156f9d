// name: search_indexes
// access: read
// params: -
// returns: name entity types properties state progress analyzer
// plan: -
// internal: none - reads the schema only; the caller excludes the internal part
SHOW FULLTEXT INDEXES YIELD name, entityType, labelsOrTypes, properties, state, populationPercent, options
RETURN name, entityType AS entity, labelsOrTypes AS types, properties, state, populationPercent AS progress,
       options.indexConfig['fulltext.analyzer'] AS analyzer
