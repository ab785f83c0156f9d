// name: constraint_delivery_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestDeliveryId IF NOT EXISTS FOR (a:_GraphrestDelivery) REQUIRE a.id IS UNIQUE
