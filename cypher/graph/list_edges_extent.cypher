// name: list_edges_extent
// access: read
// params: -
// slots: type
// returns: total last
// plan: RelationshipCountFromCountStore !AllNodesScan !Sort !Top
// hits: 10
// internal: none - reads how many there are and the last number only; the caller takes them for a guess and for the end
// How many relationships of a type there are, and the element id of the last of them.
CALL { MATCH ()-[r:{{type}}]->() RETURN count(r) AS total }
CALL { MATCH ()-[r:{{type}}]->() WITH r ORDER BY r DESC LIMIT 1 RETURN elementId(r) AS last }
RETURN total, last
