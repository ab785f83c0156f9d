package webhook

import (
	"context"
	"errors"
	"time"

	"graphrest/internal/journal"
)

// Registry stores webhooks and shows their deliveries. Changes write their entries in the audit in their own transaction. Besides the codes
// named, every method may return DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL.
type Registry interface {
	// Webhooks returns all webhooks by name.
	Webhooks(ctx context.Context) ([]Webhook, error)
	// Webhook returns one. NOT_FOUND.
	Webhook(ctx context.Context, name string) (Webhook, error)
	// CreateWebhook adds a webhook. CONFLICT: the name is taken, or there are MaxWebhooks.
	CreateWebhook(ctx context.Context, w Webhook) (Webhook, error)
	// UpdateWebhook changes a webhook. NOT_FOUND.
	UpdateWebhook(ctx context.Context, name string, c Change) (Webhook, error)
	// DeleteWebhook removes a webhook and its deliveries. NOT_FOUND.
	DeleteWebhook(ctx context.Context, name string) error
	// Deliveries lists the changes that are not delivered. NOT_FOUND: there is no such webhook.
	Deliveries(ctx context.Context, name string, q DeliveryQuery) (DeliveryPage, error)
	// RetryDelivery lets a delivery begin again, at once. NOT_FOUND: there is no such webhook or delivery.
	RetryDelivery(ctx context.Context, name, id string) error
}

// ErrLeaseLost means that another deliverer has taken over: nothing was written.
var ErrLeaseLost = errors.New("another replica delivers the webhooks now")

// Lease is the result of a deliverer's attempt to take or renew the lease. It lasts for the time asked for, from before the attempt.
type Lease struct {
	Held    bool
	Version int64 // changes with every change of a webhook by an administrator
}

// Queue is what a deliverer keeps in the database.
type Queue interface {
	// Wanted reports whether there is an enabled webhook and nobody holds the lease.
	Wanted(ctx context.Context) (bool, error)
	// Hold takes or renews the lease for a holder.
	Hold(ctx context.Context, holder string, duration time.Duration) (Lease, error)
	// Release ends the lease if the holder has it.
	Release(ctx context.Context, holder string) error
	// Webhooks returns all webhooks.
	Webhooks(ctx context.Context) ([]Webhook, error)
	// Backlog reads where a webhook stands. ErrLeaseLost: it was deleted.
	Backlog(ctx context.Context, uid string) (Backlog, error)
	// Record stores what a webhook's deliverer has done, in one transaction. ErrLeaseLost; also if the webhook was deleted.
	Record(ctx context.Context, holder, uid string, p Progress) error
	// Disable disables a webhook that no administrator has changed since it was read; another one stays as it is.
	Disable(ctx context.Context, w Webhook) error
	// Purge removes deliveries that were put on the list longer than keep ago and are dead.
	Purge(ctx context.Context, uid string, keep time.Duration) error
}

// Backlog is where a webhook stands.
type Backlog struct {
	Cursor      string
	Outstanding []Delivery // pending and failed ones by position, with CreatedAt and NextAt by the clock of this process
}

// Progress is what a deliverer has done.
type Progress struct {
	Cursor    string      // new cursor of the webhook; empty: as before
	Remaining []*Delivery // to add or to replace; CreatedAt and NextAt are by the clock of this process
	Delivered []string    // ids of stored deliveries, to remove
}

// Feed is what a deliverer reads of the journal.
type Feed interface {
	// Feed, Await and Change are those of journal.Reader.
	Feed(ctx context.Context, q journal.FeedQuery) (journal.FeedPage, error)
	Await(ctx context.Context, after string) error
	Change(ctx context.Context, id string) (journal.Record, error)
}
