// name: constraint_type_key
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestTypeKey IF NOT EXISTS FOR (t:_GraphrestType) REQUIRE t.key IS UNIQUE
