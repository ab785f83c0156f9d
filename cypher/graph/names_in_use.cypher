// name: names_in_use
// access: read
// params: -
// returns: labels types
// plan: ProcedureCall
// internal: none - reads names only; the caller takes the internal ones to exclude what has them
// The labels and relationship types that are in use at this moment.
CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
RETURN labels, types
