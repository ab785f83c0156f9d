// name: schema_nodes_sample
// access: read
// params: id_property managed_labels limit view
// slots: type shown
// returns: name kind uses
// plan: NodeByLabelScan Limit !AllNodesScan
// internal: hidden
// Returns the same rows as schema_nodes_all for one label, from up to $limit of its nodes, with the properties that are shown: see
// cypher.KeyShown.
MATCH (n:{{type}})
WHERE {{>visible_node n}}
WITH n LIMIT $limit
UNWIND [''] + [k IN keys(n) WHERE (k <> $id_property OR NOT coalesce(n[k] > '' AND any(l IN labels(n) WHERE l IN $managed_labels), false)) AND {{shown}}] AS name
RETURN name, CASE name WHEN '' THEN '' ELSE valueType(n[name]) END AS kind, count(*) AS uses
