// name: adopt_runs
// access: read
// params: id_property
// returns: tag kind type constraint undone
// plan: -
// internal: only - the runs of adopt that can be undone, latest first
MATCH (a:_GraphrestAdoption {id_property: $id_property})
RETURN a.tag AS tag, a.kind AS kind, a.type AS type, a.constraint AS constraint, a.undone_at IS NOT NULL AS undone ORDER BY a.began_at DESC
