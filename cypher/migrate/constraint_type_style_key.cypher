// name: constraint_type_style_key
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestTypeStyleKey IF NOT EXISTS FOR (t:_GraphrestTypeStyle) REQUIRE t.key IS UNIQUE
