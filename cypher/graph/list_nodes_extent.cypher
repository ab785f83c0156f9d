// name: list_nodes_extent
// access: read
// params: -
// slots: type
// returns: total last
// plan: NodeCountFromCountStore !AllNodesScan !Sort !Top
// hits: 10
// internal: none - reads the count and the last number only; the caller uses them as an estimate and for the end of the type
// Returns the number of nodes with a label, and the element id of the last one.
CALL { MATCH (n:{{type}}) RETURN count(n) AS total }
CALL { MATCH (n:{{type}}) WITH n ORDER BY n DESC LIMIT 1 RETURN elementId(n) AS last }
RETURN total, last
