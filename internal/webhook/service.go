package webhook

import (
	"context"
	"crypto/rand"

	"graphrest/internal/journal"
)

// Service administers webhooks: a Registry that checks addresses, and gives a new webhook its secret and its place in the feed.
type Service struct {
	Registry
	feed      Feed
	addresses Addresses
}

// NewService creates the administration of the webhooks in a registry.
func NewService(r Registry, f Feed, allowed Addresses) *Service {
	return &Service{Registry: r, feed: f, addresses: allowed}
}

// CreateWebhook adds a webhook that begins with the next change. A secret is generated if there is none. CONFLICT as in Registry;
// VALIDATION_ERROR (field url): it leads to an address that is not allowed.
func (s *Service) CreateWebhook(ctx context.Context, w Webhook) (Webhook, error) {
	if err := s.addresses.checkTarget(ctx, w.URL); err != nil {
		return w, err
	}
	now, err := s.feed.Feed(ctx, journal.FeedQuery{Limit: 1})
	if err != nil {
		return w, err
	}
	w.Cursor, w.UID = now.Next, rand.Text()
	if w.Secret.Empty() {
		w.Secret = NewSecret()
	}
	return s.Registry.CreateWebhook(ctx, w)
}

// UpdateWebhook changes a webhook. NOT_FOUND; VALIDATION_ERROR as for CreateWebhook.
func (s *Service) UpdateWebhook(ctx context.Context, name string, c Change) (Webhook, error) {
	if c.URL != nil {
		if err := s.addresses.checkTarget(ctx, *c.URL); err != nil {
			return Webhook{}, err
		}
	}
	return s.Registry.UpdateWebhook(ctx, name, c)
}
