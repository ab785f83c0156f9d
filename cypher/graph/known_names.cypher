// name: known_names
// access: read
// params: -
// returns: labels types keys
// plan: -
// internal: none - counts names against the limits and returns none to clients
// Returns the names in the database: the labels and relationship types in use, and all property keys that were ever created.
CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
CALL { CALL db.propertyKeys() YIELD propertyKey WHERE NOT propertyKey STARTS WITH '_graphrest' RETURN collect(propertyKey) AS keys }
RETURN labels, types, keys
