// Package httpapi is the HTTP side of the service: it turns requests into calls of the domain's stores and their results
// into answers, and nothing else. routes.go holds the table of all routes; every request passes the same checks in the
// same order (see serve in pipeline.go).
package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/sethvargo/go-limiter"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Accounts is what the HTTP side needs to know about users; *auth.Service implements it.
type Accounts interface {
	// Login checks a user name and password. Address is the client's, for throttling; admit has the last word on whether the user gets
	// a token.
	// INVALID_CREDENTIALS, RATE_LIMITED with a retry time, DATABASE_UNAVAILABLE.
	Login(ctx context.Context, username, password, address string, admit auth.Admit) (auth.Token, error)
	// Authenticate takes all Authorization headers of a request.
	// UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, DATABASE_UNAVAILABLE; TOKEN_REVOKED with the name of the user who may do nothing.
	Authenticate(ctx context.Context, authorization []string) (auth.Principal, error)
	// Recheck looks again at a principal that Authenticate returned. TOKEN_EXPIRED, TOKEN_REVOKED; DATABASE_UNAVAILABLE while that
	// cannot be known.
	Recheck(ctx context.Context, p auth.Principal) (auth.Principal, error)
	// Logout revokes the token of the principal.
	Logout(ctx context.Context, p auth.Principal) error
	// ChangePassword changes the principal's own password and ends all its tokens.
	ChangePassword(ctx context.Context, p auth.Principal, current, next string) error
	Users(ctx context.Context) ([]auth.User, error)
	User(ctx context.Context, username string) (auth.User, error)
	CreateUser(ctx context.Context, n auth.NewUser) (auth.User, error)
	UpdateUser(ctx context.Context, username string, c auth.UserChange) (auth.User, error)
	DeleteUser(ctx context.Context, username string) error
}

// Pages serves pages for people and their files; *apidocs.Documentation and *webui.Interface implement it.
type Pages interface {
	// Serve answers a GET or HEAD, or says false, having written nothing, when there is nothing at the path.
	Serve(w http.ResponseWriter, r *http.Request) bool
}

// Observer hears of requests, for metrics; *telemetry.Metrics implements it. Its methods must be quick and safe for concurrent
// use.
type Observer interface {
	// Arrived is told of each request once its header was read.
	Arrived()
	// Answered is told of each request at its end. Route is the pattern, empty where none matched; code is empty for a success.
	Answered(method, route string, status int, code fault.Code, took time.Duration)
	// Counted is told of each request that was counted against its user's limit, or could not be.
	Counted(allowed bool, err error)
}

type noObserver struct{}

func (noObserver) Arrived()                                                {}
func (noObserver) Answered(string, string, int, fault.Code, time.Duration) {}
func (noObserver) Counted(bool, error)                                     {}

// Tracer makes spans of requests; *telemetry.Traces implements it.
type Tracer interface {
	// Begin returns the context that the request goes on with, the id of its trace, and what to call at its end.
	Begin(r *http.Request, route, requestID string) (ctx context.Context, traceID string, end func(status int))
}

// Options is everything an API is made of. The zero values named are replaced by defaults; the stores, Accounts, RateStore
// and CursorKey are required.
type Options struct {
	Nodes        graph.NodeStore
	Edges        graph.EdgeStore
	Schema       graph.SchemaStore
	Types        graph.TypeStore
	Bulk         graph.BulkStore
	Explorer     graph.Explorer
	Search       graph.Searcher
	Indexes      graph.IndexStore
	Health       graph.Health
	Accounts     Accounts
	AuditReader  audit.Reader  // nil answers NOT_FOUND
	RefusalAudit *audit.Buffer // of refusals; nil writes none
	// Fresh says whether what is known about users and revoked tokens is recent enough to decide on; readiness asks it.
	// Nil means it is not asked.
	Fresh func(ctx context.Context) error

	Log      *slog.Logger // default: slog.Default()
	Observer Observer     // may be nil
	Tracer   Tracer       // may be nil

	Database     string        // name of the database, which bookmarks are bound to
	CursorKey    []byte        // at least 32 bytes; signs cursors and bookmarks, the same on every replica
	Limits       graph.Limits  // sizes of new data; the zero value means graph.DefaultLimits
	MaxBody      int64         // bytes; default 1 MiB
	QueryTimeout time.Duration // how long the stores may take; default 15 s

	// BytesInFlight bounds the memory of all entities that answers under way hold, default 128 MiB; BytesInFlightPerUser of those of
	// one user, default 96 MiB. Beyond it requests are refused. A request alone is never refused.
	BytesInFlight, BytesInFlightPerUser int64

	RateStore  limiter.Store // counts requests; made by NewRateStore or with RateCeiling tokens per key
	RateLimit  int64         // requests per period and user; default 1000
	RatePeriod time.Duration // default 1 h; must be the interval of RateStore

	// Streams bounds the imports and exports under way, each of which holds a connection to the database; default 16. One user may have
	// StreamsPerUser of either; default 1.
	Streams        int
	StreamsPerUser int

	CORSOrigins    []string // exact origins such as "https://app.example"; none by default
	TrustedProxies []string // addresses or CIDR ranges whose forwarding headers count; none by default

	// Description is the OpenAPI description as Docs serves it; nil leaves declared types out of it.
	Description []byte
	Docs        Pages // serves /docs and what it loads; nil answers NOT_FOUND
	Web         Pages // serves the web interface at / and its files; nil answers NOT_FOUND
}

const (
	defaultMaxBody = 1 << 20
	// defaultStreams is far more than one user may have, and far fewer than the connections to the database.
	defaultStreams        = 16
	defaultStreamsPerUser = 1
	defaultQueryTimeout   = 15 * time.Second
	defaultRateLimit      = 1000
	defaultRatePeriod     = time.Hour
	minCursorKey          = 32
	// deadlineMargin is how much longer than a query a request may take: for reading who asks and writing the answer.
	deadlineMargin = 2 * time.Second
)

// API answers requests. Make it with New.
type API struct {
	options  Options
	log      *slog.Logger
	engine   *gin.Engine
	cursors  cursorSigner
	ready    readiness
	draining atomic.Bool
	streams  *streams

	answerBudget answerBudget
}

// New checks the options (all mistakes at once) and builds the router.
func New(o Options) (*API, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	a := &API{options: o, log: o.Log, cursors: newCursorSigner(o.CursorKey), streams: newStreams(o.Streams, o.StreamsPerUser)}
	a.answerBudget = answerBudget{limit: o.BytesInFlight, limitPerUser: o.BytesInFlightPerUser, perUser: map[string]int64{}}
	engine, err := a.newEngine()
	if err != nil {
		return nil, err
	}
	a.engine = engine
	return a, nil
}

// ServeHTTP makes the API an http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.engine.ServeHTTP(w, r) }

// StartDraining makes /readyz answer 503 from now on, so that load balancers send no more requests; requests that
// still come are served.
// Imports and exports under way are ended: they say how far they came.
func (a *API) StartDraining() {
	a.draining.Store(true)
	a.streams.drain()
}

// complete sets defaults and reports everything that is missing or unusable.
func (o *Options) complete() error {
	var faults []error
	missing := func(is bool, name string) {
		if is {
			faults = append(faults, fmt.Errorf("httpapi: option %s is required", name))
		}
	}
	missing(o.Nodes == nil, "Nodes")
	missing(o.Edges == nil, "Edges")
	missing(o.Schema == nil, "Schema")
	missing(o.Types == nil, "Types")
	missing(o.Bulk == nil, "Bulk")
	missing(o.Health == nil, "Health")
	missing(o.Accounts == nil, "Accounts")
	missing(o.RateStore == nil, "RateStore")
	missing(len(o.CursorKey) < minCursorKey, "CursorKey (32 bytes or more)")
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Observer == nil {
		o.Observer = noObserver{}
	}
	if o.Limits == (graph.Limits{}) {
		o.Limits = graph.DefaultLimits
	}
	if o.MaxBody <= 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.QueryTimeout <= 0 {
		o.QueryTimeout = defaultQueryTimeout
	}
	if o.BytesInFlight <= 0 {
		o.BytesInFlight = defaultBytesInFlight
	}
	if o.BytesInFlightPerUser <= 0 {
		o.BytesInFlightPerUser = defaultBytesInFlightPerUser
	}
	if o.RateLimit <= 0 {
		o.RateLimit = defaultRateLimit
	}
	if o.RatePeriod <= 0 {
		o.RatePeriod = defaultRatePeriod
	}
	if o.Streams <= 0 {
		o.Streams = defaultStreams
	}
	if o.StreamsPerUser <= 0 {
		o.StreamsPerUser = defaultStreamsPerUser
	}
	for _, origin := range o.CORSOrigins {
		if err := checkOrigin(origin); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}
