// Package webhook delivers recorded changes to the HTTP endpoints that administrators register. A webhook is a cursor of the change feed,
// kept in the database: one replica at a time reads on from it, sends each change, signed as Standard Webhooks says
// (https://www.standardwebhooks.com), and moves the cursor once every change before it was delivered or is on the webhook's list of
// deliveries. Nothing is lost if a replica ends, and the changes of one entity arrive in the order of the feed.
package webhook

import (
	"slices"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

const (
	// MaxWebhooks bounds the webhooks of a gateway, each of which reads the feed.
	MaxWebhooks = 50
	// MaxTypes bounds the types that one webhook selects.
	MaxTypes = 100
	// MaxName is the maximum length of a webhook's name.
	MaxName = graph.MaxSearchIndexName
)

// Webhook is one endpoint and the changes that are delivered to it.
type Webhook struct {
	Name     string
	UID      string // of this webhook; another one created later under the same name has another
	URL      string
	Kinds    []graph.Kind     // what is delivered; empty: both kinds
	Types    []graph.TypeName // labels and edge types; empty: all
	Actions  []journal.Action // empty: all
	Enabled  bool
	Secret   Secret
	Cursor   string // in the feed: everything before it is delivered or among the deliveries
	Revision int64  // changes whenever an administrator changes the webhook or one of its deliveries

	CreatedAt, UpdatedAt time.Time // by the database's clock
}

// Selects reports whether a change is delivered to the webhook.
func (w *Webhook) Selects(r *journal.Record) bool {
	return (len(w.Kinds) == 0 || slices.Contains(w.Kinds, r.Kind)) &&
		(len(w.Actions) == 0 || slices.Contains(w.Actions, r.Action)) &&
		(len(w.Types) == 0 || slices.ContainsFunc(r.Image.Labels, func(label string) bool {
			return slices.Contains(w.Types, graph.TypeName(label))
		}))
}

// Change is an update of a webhook; a nil member stays as it is.
type Change struct {
	URL     *string
	Kinds   *[]graph.Kind
	Types   *[]graph.TypeName
	Actions *[]journal.Action
	Enabled *bool
	Secret  *Secret
}

// State is where a delivery stands. A change that was delivered has none.
type State string

// The states.
const (
	Pending State = "pending" // not attempted yet: it waits for an earlier one of the same entity
	Failed  State = "failed"  // attempted without success, and will be again
	Dead    State = "dead"    // given up
)

// States lists every state.
func States() []string { return []string{string(Pending), string(Failed), string(Dead)} }

// Delivery is a change that a webhook has not been able to deliver yet.
type Delivery struct {
	ID       string // the webhook-id of all its attempts
	Change   string // id of the change
	Position int64  // of the change in the feed
	At       time.Time
	Action   journal.Action
	Kind     graph.Kind
	Entity   string
	State    State
	Attempts int64
	Problem  string // of the last attempt; it names neither the URL nor anything that the endpoint answered, except the status

	CreatedAt   time.Time // when it was put on the list, or was last replayed; by the database's clock
	AttemptedAt time.Time // zero before the first attempt
	NextAt      time.Time // of a pending or failed one: not attempted before
}

// newDelivery is a change that is about to be sent for the first time.
func newDelivery(w *Webhook, r *journal.Record) *Delivery {
	return &Delivery{
		ID: "msg_" + r.ID + "_" + w.UID, Change: r.ID, Position: r.Position, At: r.At,
		Action: r.Action, Kind: r.Kind, Entity: r.Entity, State: Pending, CreatedAt: time.Now(),
	}
}

// Event is the type of a delivery's payload: node.create.
func (d *Delivery) Event() string { return event(d.Kind, d.Action) }

func event(k graph.Kind, a journal.Action) string { return string(k) + "." + string(a) }

// DeliveryQuery selects deliveries of one webhook.
type DeliveryQuery struct {
	State  State // empty: all
	Before int64 // position of the last delivery of the previous page; 0 for the first page
	Limit  int
}

// DeliveryPage is a page of deliveries, newest change first.
type DeliveryPage struct {
	Deliveries []Delivery
	More       bool
}

// appendPayload appends the body that is delivered for a change.
func appendPayload(dst []byte, r *journal.Record) []byte {
	dst = append(append(append(dst, `{"type":"`...), event(r.Kind, r.Action)...), `","timestamp":"`...)
	dst = append(append(dst, journal.FormatTime(r.At)...), `","data":`...)
	return append(journal.AppendChange(dst, r), '}')
}

// CheckName accepts the names that search indexes may have.
func CheckName(field, name string) *fault.Error { return graph.CheckSearchIndexName(field, name) }
