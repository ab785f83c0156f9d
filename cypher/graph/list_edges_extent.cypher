// name: list_edges_extent
// access: read
// params: -
// slots: type
// returns: total last
// plan: RelationshipCountFromCountStore !AllNodesScan !Sort !Top
// hits: 10
// internal: none - reads the count and the last number only; the caller uses them as an estimate and for the end of the type
// Returns the number of relationships of a type, and the element id of the last one.
CALL { MATCH ()-[r:{{type}}]->() RETURN count(r) AS total }
CALL { MATCH ()-[r:{{type}}]->() WITH r ORDER BY r DESC LIMIT 1 RETURN elementId(r) AS last }
RETURN total, last
