// name: list_relationship_types
// access: read
// params: -
// returns: names
// plan: ProcedureCall
// internal: none - reads names only; the caller excludes the internal ones
// Returns the relationship types in use.
CALL db.relationshipTypes() YIELD relationshipType
RETURN collect(relationshipType) AS names
