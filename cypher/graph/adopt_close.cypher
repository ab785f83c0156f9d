// name: adopt_close
// access: write
// params: tag
// returns: -
// plan: -
// internal: only - the run of adopt that is being undone: it assigns no more ids
MATCH (a:_GraphrestAdoption {tag: $tag})
SET a.undone_at = coalesce(a.undone_at, timestamp())
