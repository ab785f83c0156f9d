// name: constraint_webhook_name
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestWebhookName IF NOT EXISTS FOR (a:_GraphrestWebhook) REQUIRE a.name IS UNIQUE
