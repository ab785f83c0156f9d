// name: adopt_forget
// access: write
// params: tag
// returns: -
// plan: -
// internal: only - the run of adopt that has been undone
MATCH (a:_GraphrestAdoption {tag: $tag})
DELETE a
