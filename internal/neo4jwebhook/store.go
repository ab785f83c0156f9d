// Package neo4jwebhook stores webhooks, the deliveries that they have not made, and the lease of the replica that delivers.
package neo4jwebhook

import (
	"context"
	"math"
	"sync/atomic"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/webhook"
)

// Store is a webhook.Registry and a webhook.Queue. It is safe for concurrent use.
type Store struct {
	client *bolt.Client
	audit  *neo4jaudit.Store

	polled atomic.Pointer[polledVersion]
	none   atomic.Pointer[int64] // the last version of the webhooks at which none was enabled
}

var (
	_ webhook.Registry = (*Store)(nil)
	_ webhook.Queue    = (*Store)(nil)
)

// New creates the store. Changes of webhooks are recorded in the audit.
func New(client *bolt.Client, trail *neo4jaudit.Store) *Store {
	return &Store{client: client, audit: trail}
}

// Webhooks lists all webhooks: see webhook.Registry.
func (s *Store) Webhooks(ctx context.Context) ([]webhook.Webhook, error) {
	rows, err := s.client.ReadLatest(ctx, cypher.WebhookList.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	all := make([]webhook.Webhook, len(rows))
	for i, row := range rows {
		if all[i], err = decodeWebhook(bolt.Column[map[string]any](row, "webhook")); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Webhook reads one webhook: see webhook.Registry.
func (s *Store) Webhook(ctx context.Context, name string) (webhook.Webhook, error) {
	return onlyWebhook(s.client.ReadLatest(ctx, cypher.WebhookRead.Text(nil), map[string]any{"name": name}))
}

// CreateWebhook adds a webhook: see webhook.Registry.
func (s *Store) CreateWebhook(ctx context.Context, w webhook.Webhook) (webhook.Webhook, error) {
	params := s.audit.AdminParameters(ctx, audit.Create, audit.Webhook, w.Name, "")
	params["name"], params["max_webhooks"], params["row"] = w.Name, webhook.MaxWebhooks, encodeWebhook(w)
	rows, err := s.client.Write(ctx, cypher.WebhookCreate.Text(nil), params)
	row, err := bolt.OnlyRow(rows, err, errNoWebhook(), bolt.If("taken",
		fault.New(fault.Conflict, "A webhook with this name already exists", fault.Detail{Field: "name", Message: "is taken"})))
	if err != nil {
		return w, err
	}
	made := bolt.Column[map[string]any](row, "webhook")
	if made == nil {
		return w, fault.New(fault.Conflict, "The maximum number of webhooks is reached; delete one first")
	}
	return decodeWebhook(made)
}

// UpdateWebhook changes a webhook: see webhook.Registry.
func (s *Store) UpdateWebhook(ctx context.Context, name string, c webhook.Change) (webhook.Webhook, error) {
	return onlyWebhook(s.update(ctx, name, c, nil))
}

// update changes a webhook. It returns no row if there is none, or if it has another revision than the one given.
func (s *Store) update(ctx context.Context, name string, c webhook.Change, revision *int64) ([]*bolt.Record, error) {
	changes := encodeChange(c)
	params := s.audit.AdminParameters(ctx, audit.Update, audit.Webhook, name, "", changes.Names...)
	params["name"], params["changes"], params["revision"] = name, changes.Set, nil
	if revision != nil {
		params["revision"] = *revision
	}
	return s.client.Write(ctx, cypher.WebhookUpdate.Text(nil), params)
}

// DeleteWebhook removes a webhook: see webhook.Registry.
func (s *Store) DeleteWebhook(ctx context.Context, name string) error {
	params := s.audit.AdminParameters(ctx, audit.Delete, audit.Webhook, name, "")
	params["name"] = name
	return s.changeOne(ctx, cypher.WebhookDelete, params, errNoWebhook())
}

// Deliveries lists deliveries: see webhook.Registry.
func (s *Store) Deliveries(ctx context.Context, name string, q webhook.DeliveryQuery) (webhook.DeliveryPage, error) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	rows, err := s.client.ReadLatest(ctx, cypher.WebhookDeliveries.Text(nil), map[string]any{
		"name": name, "state": string(q.State), "before": before, "limit": q.Limit + 1,
	})
	row, err := bolt.OnlyRow(rows, err, errNoWebhook())
	if err != nil {
		return webhook.DeliveryPage{}, err
	}
	stored := bolt.Column[[]any](row, "found")
	page := webhook.DeliveryPage{More: len(stored) > q.Limit}
	for _, each := range stored[:min(len(stored), q.Limit)] {
		page.Deliveries = append(page.Deliveries, decodeDelivery(each))
	}
	return page, nil
}

// RetryDelivery lets a delivery begin again: see webhook.Registry.
func (s *Store) RetryDelivery(ctx context.Context, name, id string) error {
	params := s.audit.AdminParameters(ctx, audit.Update, audit.Webhook, name, id, "delivery")
	params["name"], params["id"] = name, id
	return s.changeOne(ctx, cypher.WebhookRetry, params, errNoDelivery())
}

func errNoWebhook() error { return fault.New(fault.NotFound, "There is no such webhook") }
func errNoDelivery() error {
	return fault.New(fault.NotFound, "There is no such delivery of such a webhook")
}

// changeOne runs a statement that returns no row if its object does not exist.
func (s *Store) changeOne(ctx context.Context, statement cypher.Statement, params map[string]any, none error) error {
	rows, err := s.client.Write(ctx, statement.Text(nil), params)
	_, err = bolt.OnlyRow(rows, err, none)
	return err
}

func onlyWebhook(rows []*bolt.Record, err error) (webhook.Webhook, error) {
	row, err := bolt.OnlyRow(rows, err, errNoWebhook())
	if err != nil {
		return webhook.Webhook{}, err
	}
	return decodeWebhook(bolt.Column[map[string]any](row, "webhook"))
}
