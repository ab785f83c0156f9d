// name: constraint_list_shape_key
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestListShapeKey IF NOT EXISTS FOR (a:_GraphrestListShape) REQUIRE a.key IS UNIQUE
