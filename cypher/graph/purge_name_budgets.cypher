// name: purge_name_budgets
// access: write
// params: -
// returns: -
// plan: NodeByLabelScan !AllNodesScan
// internal: only - counts of new names only
// Removes the counts of days that are over, at most 10,000 at once.
MATCH (b:_GraphrestNameBudget) WHERE b.expires_at <= timestamp()
WITH b LIMIT 10000
DELETE b
