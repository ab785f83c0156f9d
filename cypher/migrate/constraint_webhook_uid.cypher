// name: constraint_webhook_uid
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestWebhookUid IF NOT EXISTS FOR (a:_GraphrestWebhook) REQUIRE a.uid IS UNIQUE
