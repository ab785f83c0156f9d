package cypher

// The statements on webhooks, their deliveries, and the lease of the replica that delivers.
var (
	WebhookList       = load("webhook/webhook_list")
	WebhookRead       = load("webhook/webhook_read")
	WebhookCreate     = load("webhook/webhook_create")
	WebhookUpdate     = load("webhook/webhook_update")
	WebhookDelete     = load("webhook/webhook_delete")
	WebhookDeliveries = load("webhook/webhook_deliveries")
	WebhookRetry      = load("webhook/webhook_retry")

	WebhookWanted  = load("webhook/webhook_wanted")
	WebhookHold    = load("webhook/webhook_hold")
	WebhookRelease = load("webhook/webhook_release")
	WebhookBacklog = load("webhook/webhook_backlog")
	WebhookRecord  = load("webhook/webhook_record")
	WebhookPurge   = load("webhook/webhook_purge")
)
