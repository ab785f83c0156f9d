// name: list_nodes_extent
// access: read
// params: -
// slots: type
// returns: total last
// plan: NodeCountFromCountStore !AllNodesScan !Sort !Top
// hits: 10
// internal: none - reads how many there are and the last number only; the caller takes them for a guess and for the end
// How many nodes have a label, and the element id of the last of them.
CALL { MATCH (n:{{type}}) RETURN count(n) AS total }
CALL { MATCH (n:{{type}}) WITH n ORDER BY n DESC LIMIT 1 RETURN elementId(n) AS last }
RETURN total, last
