// name: adopt_record
// access: write
// params: tag kind type id_property constraint
// returns: -
// plan: Create
// internal: only - a run of adopt on one type, so that it can be undone: (:_GraphrestAdoption)
CREATE (:_GraphrestAdoption {tag: $tag, kind: $kind, type: $type, id_property: $id_property, constraint: $constraint, began_at: timestamp()})
