package app

import (
	"context"
	"log/slog"

	"graphrest/internal/config"
	"graphrest/internal/webhook"
)

// newDeliverer creates the deliverer of this replica.
func newDeliverer(c *config.Config, s *stores, o *observability, log *slog.Logger) *webhook.Deliverer {
	options := webhook.Options{Allowed: c.Webhooks.Allow, Keep: c.History.Keep, Log: log}
	if o.metrics != nil {
		options.Observer = o.metrics
	}
	return webhook.NewDeliverer(s.webhooks, s.graph.Journal, options)
}

// deliverWebhooks runs the deliverer, if there is one, once the database is prepared, until the context ends.
func (a *App) deliverWebhooks(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-a.startup.done:
		if a.deliverer != nil {
			a.deliverer.Run(ctx)
		}
	}
}
