// name: schema_nodes_all
// access: read
// params: id_property managed_labels
// returns: type name kind uses
// plan: AllNodesScan
// internal: hidden
// Returns the properties of every node, for a small graph: one row per label, property key and kind of value, and, with an empty key (which
// no property has), one that counts the label's nodes.
MATCH (n)
WHERE {{>visible_node n}}
UNWIND [''] + [k IN keys(n) WHERE k <> $id_property OR NOT coalesce(n[k] > '' AND any(l IN labels(n) WHERE l IN $managed_labels), false)] AS name
UNWIND labels(n) AS type
RETURN type, name, CASE name WHEN '' THEN '' ELSE valueType(n[name]) END AS kind, count(*) AS uses
