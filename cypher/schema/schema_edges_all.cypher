// name: schema_edges_all
// access: read
// params: id_property managed_types declared
// returns: type name kind source target uses
// plan: DirectedAllRelationshipsScan
// internal: hidden
// Returns the properties and connections of every relationship, for a small graph: one row per type, property key and kind of value, and,
// with an empty key, one per type and pair of the ends' types.
MATCH ()-[r]->()
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
UNWIND [''] + [k IN keys(r) WHERE k <> $id_property OR NOT coalesce(r[k] > '' AND type(r) IN $managed_types, false)] AS name
RETURN type(r) AS type, name, CASE name WHEN '' THEN '' ELSE valueType(r[name]) END AS kind,
       CASE name WHEN '' THEN coalesce(CASE WHEN $declared IS NULL THEN labels(a)[0] ELSE coalesce([l IN labels(a) WHERE l IN $declared][0], labels(a)[0]) END, '') ELSE '' END AS source,
       CASE name WHEN '' THEN coalesce(CASE WHEN $declared IS NULL THEN labels(b)[0] ELSE coalesce([l IN labels(b) WHERE l IN $declared][0], labels(b)[0]) END, '') ELSE '' END AS target, count(*) AS uses
