package neo4jwebhook

import (
	"context"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/webhook"
)

// polledVersion is the version of the webhooks that a poll has found.
type polledVersion struct {
	began   time.Time
	version int64
}

// maxPollAge is up to which age a poll says that no webhook was enabled since.
const maxPollAge = 2 * time.Second

// Polled receives the versions of internal data that a read has found which began at a time: see auth.Config.Polled.
func (s *Store) Polled(began time.Time, versions map[string]int64) {
	s.polled.Store(&polledVersion{began, versions["webhooks"]})
}

// isNoneEnabled reports whether the last poll has shown that there is still no enabled webhook.
func (s *Store) isNoneEnabled() bool {
	polled, none := s.polled.Load(), s.none.Load()
	return polled != nil && none != nil && polled.version == *none && time.Since(polled.began) < maxPollAge
}

// Wanted reports whether a deliverer is wanted: see webhook.Queue. While no webhook is enabled it asks the database only after a change.
func (s *Store) Wanted(ctx context.Context) (bool, error) {
	if !s.client.Reachable() || s.isNoneEnabled() {
		return false, nil // the client has logged that it is not reachable
	}
	rows, err := s.client.Read(ctx, cypher.WebhookWanted.Text(nil), nil)
	if err != nil || len(rows) != 1 {
		return false, bolt.Translate(err)
	}
	if version := bolt.Column[int64](rows[0], "version"); bolt.Column[int64](rows[0], "enabled") == 0 {
		s.none.Store(&version)
	}
	return bolt.Column[bool](rows[0], "wanted"), nil
}

// Hold takes or renews the lease: see webhook.Queue.
func (s *Store) Hold(ctx context.Context, holder string, duration time.Duration) (webhook.Lease, error) {
	rows, err := s.client.Write(ctx, cypher.WebhookHold.Text(nil), map[string]any{
		"holder": holder, "duration": duration.Milliseconds(),
	})
	if err != nil || len(rows) == 0 {
		return webhook.Lease{}, bolt.Translate(err)
	}
	return webhook.Lease{Held: bolt.Column[bool](rows[0], "held"), Version: bolt.Column[int64](rows[0], "version")}, nil
}

// Release ends the lease: see webhook.Queue.
func (s *Store) Release(ctx context.Context, holder string) error {
	_, err := s.client.Write(ctx, cypher.WebhookRelease.Text(nil), map[string]any{"holder": holder})
	return bolt.Translate(err)
}

// Backlog reads where a webhook stands: see webhook.Queue.
func (s *Store) Backlog(ctx context.Context, uid string) (webhook.Backlog, error) {
	rows, err := s.client.ReadLatest(ctx, cypher.WebhookBacklog.Text(nil), map[string]any{"uid": uid})
	row, err := bolt.OnlyRow(rows, err, webhook.ErrLeaseLost)
	if err != nil {
		return webhook.Backlog{}, err
	}
	b := webhook.Backlog{Cursor: bolt.Column[string](row, "cursor")}
	now := time.Now()
	for _, stored := range bolt.Column[[]any](row, "found") {
		d := decodeDelivery(stored)
		fields, _ := stored.(map[string]any)
		d.NextAt, d.CreatedAt = now.Add(milliseconds(fields["wait"])), now.Add(-milliseconds(fields["age"]))
		b.Outstanding = append(b.Outstanding, d)
	}
	return b, nil
}

// Record stores what a deliverer has done: see webhook.Queue. It may be sent again: it stores the same once more.
func (s *Store) Record(ctx context.Context, holder, uid string, p webhook.Progress) error {
	params := map[string]any{"holder": holder, "uid": uid, "cursor": nil, "delivered": p.Delivered}
	if p.Cursor != "" {
		params["cursor"] = p.Cursor
	}
	now := time.Now()
	remaining := make([]map[string]any, len(p.Remaining))
	for i, d := range p.Remaining {
		remaining[i] = encodeDelivery(d, now)
	}
	params["remaining"] = remaining
	return s.changeOne(ctx, cypher.WebhookRecord, params, webhook.ErrLeaseLost)
}

// Disable disables a webhook: see webhook.Queue.
func (s *Store) Disable(ctx context.Context, w webhook.Webhook) error {
	enabled := false
	_, err := s.update(ctx, w.Name, webhook.Change{Enabled: &enabled}, &w.Revision)
	return bolt.Translate(err)
}

// Purge removes old dead deliveries: see webhook.Queue.
func (s *Store) Purge(ctx context.Context, uid string, keep time.Duration) error {
	_, err := s.client.Write(ctx, cypher.WebhookPurge.Text(nil), map[string]any{"uid": uid, "keep": keep.Milliseconds()})
	return bolt.Translate(err)
}
