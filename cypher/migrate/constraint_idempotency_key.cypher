// name: constraint_idempotency_key
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestIdempotencyKeyKey IF NOT EXISTS FOR (k:_GraphrestIdempotencyKey) REQUIRE k.key IS UNIQUE
