// name: schema_edges_sample
// access: read
// params: id_property managed_types limit view
// slots: type shown
// returns: name kind uses
// plan: DirectedRelationshipTypeScan Limit !AllNodesScan
// internal: hidden
// Returns the properties of up to $limit relationships of one type, those that are shown; the row with an empty key counts the
// relationships. See schema_nodes_sample.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
WITH r LIMIT $limit
UNWIND [''] + [k IN keys(r) WHERE (k <> $id_property OR NOT coalesce(r[k] > '' AND type(r) IN $managed_types, false)) AND {{shown}}] AS name
RETURN name, CASE name WHEN '' THEN '' ELSE valueType(r[name]) END AS kind, count(*) AS uses
