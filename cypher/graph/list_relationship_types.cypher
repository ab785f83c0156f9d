// name: list_relationship_types
// access: read
// params: -
// returns: names
// plan: ProcedureCall
// internal: none - reads names only; the caller leaves the internal ones out
// The relationship types that a relationship has at this moment.
CALL db.relationshipTypes() YIELD relationshipType
RETURN collect(relationshipType) AS names
