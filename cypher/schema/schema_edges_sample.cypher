// name: schema_edges_sample
// access: read
// params: id_property managed_types limit
// slots: type
// returns: name kind uses
// plan: DirectedRelationshipTypeScan Limit !AllNodesScan
// internal: hidden
// Returns the properties of up to $limit relationships of one type; the row with an empty key counts the relationships.
MATCH ()-[r:{{type}}]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
WITH r LIMIT $limit
UNWIND [''] + [k IN keys(r) WHERE k <> $id_property OR NOT coalesce(r[k] > '' AND type(r) IN $managed_types, false)] AS name
RETURN name, CASE name WHEN '' THEN '' ELSE valueType(r[name]) END AS kind, count(*) AS uses
