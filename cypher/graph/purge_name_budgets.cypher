// name: purge_name_budgets
// access: write
// params: -
// returns: -
// plan: NodeByLabelScan !AllNodesScan
// internal: only - it works on counts of new names
// Removes the counts of past days, in batches of 10,000.
MATCH (b:_GraphrestNameBudget) WHERE b.expires_at <= timestamp()
WITH b LIMIT 10000
DELETE b
