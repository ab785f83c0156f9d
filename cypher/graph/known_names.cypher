// name: known_names
// access: read
// params: -
// returns: labels types keys
// plan: -
// internal: none - counts names against the caps and shows none
// The names the database holds. Labels and relationship types are those in use; property keys are all that ever were.
CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
CALL { CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey) AS keys }
RETURN labels, types, keys
