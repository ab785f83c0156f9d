// name: names_in_use
// access: read
// params: -
// returns: labels types
// plan: ProcedureCall
// internal: none - reads names only; the caller uses the internal ones to exclude entities
// Returns the labels and relationship types in use.
CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
RETURN labels, types
