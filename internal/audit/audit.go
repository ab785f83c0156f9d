// Package audit says who did what, and to what. Changes of data carry their entries in their own transaction; what changes no
// data, logins and refusals, goes through a Book.
package audit

import (
	"context"
	"time"
)

// Actor is who makes a request, from where. Its zero value is the service itself.
type Actor struct {
	User      string // name
	UserID    string
	RequestID string // the client's own where it sent one
	GatewayID string // the gateway's id of the request, which no client can choose; empty where RequestID is that
	Address   string // of the client, by the rules on trusted proxies; or CommandLine
}

// CommandLine is the address of commands that work straight on the database.
const CommandLine = "command line"

type actorKey struct{}

// By returns a context whose changes are an actor's.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, &a)
}

// ActorOf is the actor of a context.
func ActorFrom(ctx context.Context) Actor {
	if a, known := ctx.Value(actorKey{}).(*Actor); known {
		return *a
	}
	return Actor{}
}

// Mode says how much is recorded.
type Mode string

// The modes: nothing, all but changes of the graph, or all.
const (
	Off   Mode = "off"
	Admin Mode = "admin"
	All   Mode = "all"
)

// Records says whether what is done to a kind is recorded. The zero value records nothing.
func (m Mode) Records(k Kind) bool { return m == All || m == Admin && k != Node && k != Edge }

// Action is what was done, or tried.
type Action string

// The actions. Import is one entry for each transaction of an import; Request is one that was refused before it was looked at.
const (
	Create  Action = "create"
	Update  Action = "update"
	Delete  Action = "delete"
	Import  Action = "import"
	Login   Action = "login"
	Logout  Action = "logout"
	Request Action = "request"
)

// Actions lists every action once.
func Actions() []string {
	return []string{string(Create), string(Update), string(Delete), string(Import), string(Login), string(Logout), string(Request)}
}

// Kind is what it was done to.
type Kind string

// The kinds. The entity of a session is the id of its token, that of a route its method and path, that of a declared type nodes or
// edges and its name.
const (
	Node        Kind = "node"
	Edge        Kind = "edge"
	User        Kind = "user"
	Type        Kind = "type"
	SearchIndex Kind = "search_index"
	Index       Kind = "index"
	Session     Kind = "session"
	Route       Kind = "route"
)

// Kinds lists every kind once.
func Kinds() []string {
	return []string{string(Node), string(Edge), string(User), string(Type), string(SearchIndex), string(Index), string(Session), string(Route)}
}

// Outcome says whether it was done.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused"
)

// Outcomes lists every outcome once.
func Outcomes() []string { return []string{string(Done), string(Refused)} }

// Entry is one line of the audit. It never holds a secret, nor the value of a property.
type Entry struct {
	At      time.Time // by the database's clock; set by the store
	Actor   Actor
	Action  Action
	Kind    Kind
	Outcome Outcome
	Code    string   // why it was refused
	Entity  string   // id; empty for an import
	Name    string   // the type of a node or an edge, the name of a user; empty where it is not known
	Fields  []string // the members or properties that an update gave
	Count   int64    // of what the entry stands for: more than 1 for an import, and for refusals of the same kind
}

// Query selects entries, newest first. Empty members select all.
type Query struct {
	User      string // name or id
	Action    Action
	Kind      Kind
	Entity    string // id, or the name of a user
	Outcome   Outcome
	RequestID string    // the client's or the gateway's
	Since     time.Time // at or later
	Until     time.Time // earlier
	Limit     int
	After     []byte // where the page before ended; nil for the start
}

// Page is some entries. It may hold fewer than asked for, or none, while there are more: a page costs a bounded amount of work.
type Page struct {
	Entries []Entry
	Next    []byte // nil at the end
}

// Reader reads the audit.
type Reader interface {
	// Entries reads a page. VALIDATION_ERROR: a position of another query. DATABASE_UNAVAILABLE, DATABASE_TIMEOUT.
	Entries(ctx context.Context, q Query) (Page, error)
}

// Recorder writes entries that no change of data carries.
type Recorder interface {
	// Record writes entries in one transaction. DATABASE_UNAVAILABLE.
	Record(ctx context.Context, entries []Entry) error
}
