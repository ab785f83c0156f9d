// name: count_everything
// access: read
// params: -
// returns: nodes edges
// plan: NodeCountFromCountStore RelationshipCountFromCountStore !AllNodesScan !DirectedAllRelationshipsScan
// hits: 2
// internal: none - the size of the database, of which the internal part is one; only administrators see it
// Counts all nodes and relationships in the count store.
CALL () { MATCH (n) RETURN count(n) AS nodes }
CALL () { MATCH ()-[r]->() RETURN count(r) AS edges }
RETURN nodes, edges
