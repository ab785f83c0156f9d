// name: managed_types
// access: read
// params: id_property
// returns: entity name
// plan: -
// internal: none - reads constraints; names with the reserved prefix are dropped by the caller
// The labels and relationship types with a uniqueness (or key) constraint on just the id property. The kinds' names differ
// between releases; all end alike.
SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties
WHERE properties = [$id_property] AND (type ENDS WITH 'UNIQUENESS' OR type ENDS WITH '_KEY')
RETURN entityType AS entity, labelsOrTypes[0] AS name
