// name: managed_types
// access: read
// params: id_property
// returns: entity name
// plan: -
// internal: none - reads constraints; names with the reserved prefix are dropped by the caller
// Returns the labels and relationship types with a uniqueness (or key) constraint on the id property alone. The names of the constraint
// kinds differ between releases, but have the same ending.
SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties
WHERE properties = [$id_property] AND (type ENDS WITH 'UNIQUENESS' OR type ENDS WITH '_KEY')
RETURN entityType AS entity, labelsOrTypes[0] AS name
