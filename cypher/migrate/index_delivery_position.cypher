// name: index_delivery_position
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestDeliveryPosition IF NOT EXISTS FOR (e:_GraphrestDelivery) ON (e.webhook, e.position)
