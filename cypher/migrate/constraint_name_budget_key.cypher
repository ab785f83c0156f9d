// name: constraint_name_budget_key
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestNameBudgetKey IF NOT EXISTS FOR (b:_GraphrestNameBudget) REQUIRE b.key IS UNIQUE
