// name: list_edges_total_all
// access: read
// params: verify
// slots: internal records internal_types
// returns: total at_records labels types
// plan: RelationshipCountFromCountStore !AllNodesScan !DirectedAllRelationshipsScan
// hits: 4000
// internal: hidden by subtraction - as in list_edges_total
// Counts the visible relationships. The slots internal and records are those of list_edges_total; internal_types contains every internal
// relationship type in use. $verify is that of list_nodes_total.
CALL { MATCH ()-[r]->() RETURN count(r) AS every }
CALL { MATCH (a:{{internal}})-[r]-() RETURN count(DISTINCT r) AS hidden }
CALL {
  MATCH ()-[r:{{internal_types}}]->()
  WITH r, startNode(r) AS a, endNode(r) AS b
  WHERE {{>visible_node a}}
    AND {{>visible_node b}}
  RETURN count(r) AS between
}
{{>internal_labels}}
CALL {
  UNWIND CASE WHEN $verify THEN [1] ELSE [] END AS once
  CALL db.relationshipTypes() YIELD relationshipType WHERE toLower(relationshipType) STARTS WITH '_graphrest'
  RETURN collect(relationshipType) AS types
}
RETURN every - hidden - between AS total, {{records}} AS at_records, labels, types
