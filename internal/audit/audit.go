// Package audit records who did what, and to what. Changes of data write their entries in their own transaction; events
// that change no data, logins and refusals, go through a Buffer.
package audit

import (
	"context"
	"time"
)

// Actor is the user and client that a request comes from. Its zero value is the service itself.
type Actor struct {
	User      string // name
	UserID    string
	RequestID string // the client's own if it sent one
	GatewayID string // the gateway's id of the request, which no client can choose; empty if RequestID is that id
	Address   string // of the client, by the rules on trusted proxies; or CommandLine
	// Token and TokenID are the name and id of the personal token that the user sent; empty for another credential.
	Token, TokenID string
	Agent          Agent
}

// Agent is the program that an agent's request comes from. Its zero value is a request that no agent sent.
type Agent struct {
	Via    string // the interface, MCP; empty for a request of the REST API
	Tool   string // that was called
	Client string // what the program calls itself; not verified
}

// MCP is the interface of agents, the Model Context Protocol.
const MCP = "mcp"

// CommandLine is the address of commands that work directly on the database.
const CommandLine = "command line"

type actorKey struct{}

// WithActor returns a context whose changes are recorded as those of an actor.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, &a)
}

// ActorFrom returns the actor of a context, or the zero value.
func ActorFrom(ctx context.Context) Actor {
	if a, known := ctx.Value(actorKey{}).(*Actor); known {
		return *a
	}
	return Actor{}
}

// Mode determines which actions are recorded.
type Mode string

// The modes: nothing, everything except changes of the graph, or everything.
const (
	Off   Mode = "off"
	Admin Mode = "admin"
	All   Mode = "all"
)

// Records reports whether actions on a kind are recorded. The zero value records nothing.
func (m Mode) Records(k Kind) bool { return m == All || m == Admin && k != Node && k != Edge }

// Action is what was done or attempted.
type Action string

// The actions. Import is one entry for each transaction of an import; Request is a request that was rejected before its body was read.
const (
	Create  Action = "create"
	Update  Action = "update"
	Delete  Action = "delete"
	Import  Action = "import"
	Login   Action = "login"
	Logout  Action = "logout"
	Request Action = "request"
	View    Action = "view" // an administrator sees what a user or a role sees
	Run     Action = "run"  // a query

	// Of a change set.
	Propose  Action = "propose"
	Comment  Action = "comment"
	Approve  Action = "approve"
	Reject   Action = "reject"
	Withdraw Action = "withdraw"
	Apply    Action = "apply"
)

// Actions lists every action. Filters and the OpenAPI description have their values from here.
func Actions() []string {
	return []string{
		string(Create), string(Update), string(Delete), string(Import), string(Login), string(Logout), string(Request), string(View),
		string(Run),
		string(Propose), string(Comment), string(Approve), string(Reject), string(Withdraw), string(Apply),
	}
}

// Kind is the kind of object that an action applies to.
type Kind string

// The kinds. The entity of a session is the id of its token, that of a route its method and path, that of a declared type nodes or
// edges and its name.
const (
	Node        Kind = "node"
	Edge        Kind = "edge"
	User        Kind = "user"
	Role        Kind = "role"
	Token       Kind = "token" // a service token or a personal token
	Type        Kind = "type"
	SearchIndex Kind = "search_index"
	Index       Kind = "index"
	History     Kind = "history" // of one node or edge
	ChangeSet   Kind = "changeset"
	Webhook     Kind = "webhook"
	SavedView   Kind = "saved_view"
	SavedQuery  Kind = "query" // a saved query, or one that is not saved
	Session     Kind = "session"
	Route       Kind = "route"
)

// Kinds lists every kind, as Actions.
func Kinds() []string {
	return []string{
		string(Node), string(Edge), string(User), string(Role), string(Token), string(Type), string(SearchIndex), string(Index),
		string(History), string(ChangeSet), string(Webhook), string(SavedView), string(SavedQuery), string(Session), string(Route),
	}
}

// Outcome states whether an action was done.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused"
)

// Outcomes lists every outcome, as Actions.
func Outcomes() []string { return []string{string(Done), string(Refused)} }

// Entry is one entry of the audit. It never contains a secret or the value of a property.
type Entry struct {
	At      time.Time // by the database's clock; set by the store
	Actor   Actor
	Action  Action
	Kind    Kind
	Outcome Outcome
	Code    string // why it was refused
	Entity  string // id; empty for an import
	// Name is the type of a node or an edge, the name of a user or a service token, the title of a change set, or the grants that refused a
	// request; empty if unknown.
	Name   string
	Fields []string // the members or properties that an update gave
	Count  int64    // number of events in the entry: more than 1 for an import and for aggregated refusals
}

// Query selects entries, newest first. Empty members select all.
type Query struct {
	User      string // name or id
	Action    Action
	Kind      Kind
	Entity    string // id, or the name of a user or a service token
	Outcome   Outcome
	RequestID string    // the client's or the gateway's
	Since     time.Time // at or later
	Until     time.Time // earlier
	Limit     int
	After     []byte // position at which the previous page ended; nil for the start
}

// Page is one page of entries. It may contain fewer entries than requested, or none, even if there are more: the work
// per page is bounded.
type Page struct {
	Entries []Entry
	Next    []byte // nil at the end
}

// Reader reads the audit.
type Reader interface {
	// Entries reads a page. VALIDATION_ERROR: a position of another query. DATABASE_UNAVAILABLE, DATABASE_TIMEOUT.
	Entries(ctx context.Context, q Query) (Page, error)
	// ReadUse says what the audit has. DATABASE_UNAVAILABLE, DATABASE_TIMEOUT.
	ReadUse(ctx context.Context) (Use, error)
}

// Use is what the entries in the database are. One may contain many events.
type Use struct {
	Entries int64
	Oldest  time.Time     // zero if there are none
	Keep    time.Duration // older ones are removed
}

// Recorder writes entries outside a change of data.
type Recorder interface {
	// Record writes entries in one transaction. DATABASE_UNAVAILABLE.
	Record(ctx context.Context, entries []Entry) error
}
