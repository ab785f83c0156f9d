// name: edges_among
// access: read
// params: elements types max_edges view
// lists: elements
// slots: edges view limit
// returns: edge
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan !UndirectedAllRelationshipsScan
// hits: 12 per row
// internal: hidden
// Finds the relationships whose both ends are among some nodes, each once, and returns at most $max_edges element ids. Each node is found
// by one seek, and its degree, which the store has at hand for a node of a high degree, by one db hit. The nodes are expanded by their
// degree, the lowest first, and a relationship is followed from the first of its ends only. So the node with the most relationships is
// expanded only if it has a self-loop: then its outgoing and its incoming relationships together are more than its relationships. CASE has
// the other end tested first, before anything of the relationship is read.
// The slot limit is cypher.Limit: degrees count relationships that the user may not see.
CALL () {
  UNWIND $elements[0] AS element
  MATCH (n) WHERE elementId(n) = element AND {{>visible_node n}}
  WITH n, COUNT { (n)-[{{edges}}]-() } AS degree, COUNT { (n)-[{{edges}}]->() } + COUNT { (n)<-[{{edges}}]-() } AS directed
  ORDER BY degree
  RETURN collect(n) AS shown, collect(directed > degree) AS loops
}
UNWIND range(0, size(shown) - 1) AS i
WITH shown[i] AS a, shown[i..] AS others, loops[i] AS loop
WHERE size(others) > 1 OR loop
MATCH (a)-[r{{edges}}]-(b)
WHERE CASE WHEN b IN others
           THEN ($types IS NULL OR type(r) IN $types) AND {{>visible_type r}}
             AND {{>visible_node b}} AND {{view}}
           ELSE false END
RETURN elementId(r) AS edge {{limit}} $max_edges
