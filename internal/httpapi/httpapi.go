// Package httpapi is the HTTP layer of the service: it translates requests into calls of the domain's stores, and their results
// into responses. routes.go contains the table of all routes; every request passes the same checks in the same order (see serve
// in pipeline.go).
package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/sethvargo/go-limiter"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/mcp"
	"graphrest/internal/oidc"
	"graphrest/internal/pattern"
	"graphrest/internal/query"
	"graphrest/internal/rules"
	"graphrest/internal/savedview"
	"graphrest/internal/webhook"
)

// Accounts is the user management that the HTTP layer needs; *auth.Service implements it.
type Accounts interface {
	// Login checks a user name and password. Address is the client's address, for throttling; admit runs last and can deny the token.
	// INVALID_CREDENTIALS, RATE_LIMITED with a retry time, DATABASE_UNAVAILABLE.
	Login(ctx context.Context, username, password, address string, admit auth.Admit) (auth.Token, error)
	// Authenticate takes all Authorization headers of a request.
	// UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, DATABASE_UNAVAILABLE; TOKEN_REVOKED with the id and name of the token's user.
	Authenticate(ctx context.Context, authorization []string) (auth.Principal, error)
	// Recheck validates a principal that Authenticate returned earlier, with the user's current permissions. TOKEN_EXPIRED,
	// TOKEN_REVOKED; DATABASE_UNAVAILABLE while the current state is unknown.
	Recheck(ctx context.Context, p auth.Principal) (auth.Principal, error)
	// Logout revokes the token of the principal.
	Logout(ctx context.Context, p auth.Principal) error
	// ChangePassword changes the principal's own password and revokes all its tokens.
	ChangePassword(ctx context.Context, p auth.Principal, current, next string) error
	// SignIn returns the user of a verified identity, created or with its rights changed if necessary. INVALID_CREDENTIALS,
	// DATABASE_UNAVAILABLE.
	SignIn(ctx context.Context, i auth.Identity) (auth.User, error)
	// RedeemSignIn issues the token of a sign-in, at most one for each id on all replicas. INVALID_CREDENTIALS, RATE_LIMITED,
	// DATABASE_UNAVAILABLE.
	RedeemSignIn(ctx context.Context, signInID, userID string, expires time.Time, admit auth.Admit) (auth.Token, error)
	Users(ctx context.Context) ([]auth.User, error)
	User(ctx context.Context, username string) (auth.User, error)
	CreateUser(ctx context.Context, n auth.NewUser) (auth.User, error)
	UpdateUser(ctx context.Context, username string, c auth.UserChange) (auth.User, error)
	DeleteUser(ctx context.Context, username string) error
	Roles(ctx context.Context) ([]auth.Role, error)
	Role(ctx context.Context, name string) (auth.Role, error)
	CreateRole(ctx context.Context, r rules.Role) (auth.Role, error)
	UpdateRole(ctx context.Context, name string, c auth.RoleChange) (auth.Role, error)
	DeleteRole(ctx context.Context, name string) error
	// PrincipalOf returns the principal of a user without a token. NOT_FOUND; TOKEN_REVOKED if the user is disabled.
	PrincipalOf(ctx context.Context, username string) (auth.Principal, error)
	// PrincipalViewedAs returns the principal whose rights decide about a request that an administrator views as a user or a role.
	// NOT_FOUND; TOKEN_REVOKED if the user is disabled; DATABASE_UNAVAILABLE.
	PrincipalViewedAs(ctx context.Context, as auth.ViewAs) (auth.Principal, error)
	ServiceTokens(ctx context.Context) ([]auth.ServiceToken, error)
	// CreateServiceToken adds a service token that has no permission which its maker lacks. VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT.
	CreateServiceToken(ctx context.Context, maker *auth.Principal, n auth.NewServiceToken) (auth.CreatedServiceToken, error)
	DeleteServiceToken(ctx context.Context, id string) error
	PersonalTokens(ctx context.Context, userID string) ([]auth.PersonalToken, error)
	// CreatePersonalToken makes a personal token of the principal's user. VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT, TOKEN_REVOKED.
	CreatePersonalToken(ctx context.Context, p auth.Principal, n auth.NewPersonalToken) (auth.CreatedPersonalToken, error)
	DeletePersonalToken(ctx context.Context, userID, id string) error
	// PrincipalOfPersonalToken returns the principal of a user's personal token. NOT_FOUND; TOKEN_REVOKED, TOKEN_EXPIRED.
	PrincipalOfPersonalToken(ctx context.Context, userID, id string) (auth.Principal, error)
}

// SingleSignOn runs logins at an identity provider; *oidc.Provider implements it.
type SingleSignOn interface {
	// Begin returns the address to send a browser to, and the cookie to set there. DATABASE_UNAVAILABLE.
	Begin(ctx context.Context) (address, cookie string, err error)
	// Complete takes the query of the callback and that cookie, and returns the user and the id of the login. VALIDATION_ERROR,
	// INVALID_CREDENTIALS, INVALID_TOKEN, TOKEN_EXPIRED, DATABASE_UNAVAILABLE.
	Complete(ctx context.Context, parameters url.Values, cookie string) (auth.Identity, string, error)
	// HandOver returns the cookie that the page trades for a token of the user.
	HandOver(signInID, userID string) (string, error)
	// OpenHandOver reads that cookie. INVALID_CREDENTIALS.
	OpenHandOver(cookie string) (oidc.HandOver, error)
	// State says how the provider was last reached. It causes no request to it.
	State() oidc.State
}

// Pages serves HTML pages and their files; *apidocs.Documentation and *webui.Interface implement it.
type Pages interface {
	// Serve answers a GET or HEAD. It writes nothing and returns false if it has no page or file at the path.
	Serve(w http.ResponseWriter, r *http.Request) bool
}

// Agents answers messages of agents; *mcp.Handler implements it.
type Agents interface {
	// Serve answers the messages of a request of the caller that a gateway stands for.
	Serve(w http.ResponseWriter, r *http.Request, g mcp.Gateway) error
}

// RequestObserver records requests as metrics; *telemetry.Metrics implements it. Its methods must be fast and safe for concurrent use.
type RequestObserver interface {
	// Arrived is called for each request after its header was read.
	Arrived()
	// Answered is called at the end of each request. Route is the pattern, empty if none matched; code is empty on success.
	Answered(method, route string, status int, code fault.Code, took time.Duration)
	// Counted is called for each request that was counted against its user's rate limit, or that could not be counted.
	Counted(allowed bool, err error)
	// ChangeSet is called for each change set that was proposed or changed, with the action.
	ChangeSet(action string)
	// ToolCalled is called at the end of each call of an agent's tool; code is empty on success.
	ToolCalled(tool string, code fault.Code)
}

type noObserver struct{}

func (noObserver) Arrived()                                                {}
func (noObserver) Answered(string, string, int, fault.Code, time.Duration) {}
func (noObserver) Counted(bool, error)                                     {}
func (noObserver) ChangeSet(string)                                        {}
func (noObserver) ToolCalled(string, fault.Code)                           {}

// Tracer creates spans for requests; *telemetry.Traces implements it.
type Tracer interface {
	// Begin returns the request's context with its span, the trace id, and a function to call at the end of the request.
	Begin(r *http.Request, route, requestID string) (ctx context.Context, traceID string, end func(status int))
}

// Options configures an API. Zero values are replaced by the defaults stated here; the stores, Accounts, RateStore and
// CursorKey are required.
type Options struct {
	Nodes        graph.NodeStore
	Edges        graph.EdgeStore
	Schema       graph.SchemaStore
	Types        graph.TypeStore
	Styles       graph.TypeStyleStore
	Bulk         graph.BulkStore
	Batches      graph.BatchStore
	ChangeSets   changeset.Store
	Explorer     graph.Explorer
	Aggregator   graph.Aggregator
	Matcher      pattern.Matcher
	Search       graph.Searcher
	Indexes      graph.IndexStore
	Journal      journal.Reader   // nil answers CONFLICT: changes are not recorded
	Undoer       journal.Undoer   // nil likewise
	Webhooks     webhook.Registry // nil likewise; *webhook.Service checks addresses as well
	SavedViews   savedview.Store
	Queries      *query.Service
	Health       graph.Health
	Monitor      graph.Monitor
	Started      <-chan struct{} // closed once the database is prepared and there is an administrator; nil: it is
	Accounts     Accounts
	SingleSignOn SingleSignOn  // nil answers NOT_FOUND
	AuditReader  audit.Reader  // nil answers NOT_FOUND
	RefusalAudit *audit.Buffer // records rejected requests; nil records none
	// Fresh returns an error if the cached users and revoked tokens are too old to decide on; /readyz calls it. Nil skips this check.
	Fresh func(ctx context.Context) error
	// StoreContext returns the context with which a request calls the stores, so that they can bound what its calls use together. It is
	// not called for streams. Nil uses the request's own.
	StoreContext func(request context.Context) context.Context

	Log      *slog.Logger    // default: slog.Default()
	Observer RequestObserver // may be nil
	Tracer   Tracer          // may be nil

	Database     string        // name of the database; bookmarks are bound to it
	IDProperty   string        // the property that contains ids; grants have no conditions on it
	CursorKey    []byte        // at least 32 bytes; signs cursors and bookmarks; the same on every replica
	Limits       graph.Limits  // sizes of new data; the zero value means graph.DefaultLimits
	MaxBody      int64         // bytes; default 1 MiB
	MaxBatch     int           // operations of a batch; default 1000
	QueryTimeout time.Duration // timeout of the stores; default 15 s
	SelfApproval bool          // authors may approve and reject their own change sets

	SecureCookies   bool // browsers reach the service by TLS only
	PasswordsClosed bool // only the first administrator may log in with a password

	// BytesInFlight limits the memory of all entities in responses in progress, default 128 MiB; BytesInFlightPerUser limits those of
	// one user, default 96 MiB. Requests that would exceed a limit are rejected. A single request on its own is never rejected.
	BytesInFlight, BytesInFlightPerUser int64

	RateStore  limiter.Store // counts requests; from NewRateStore, or a store with RateCeiling tokens per key
	RateLimit  int64         // requests per period and user; default 1000
	RatePeriod time.Duration // default 1 h; must equal the interval of RateStore

	// Streams limits the imports and exports in progress, each of which uses a connection to the database; default 16. One user may
	// have StreamsPerUser imports and as many exports; default 1.
	Streams        int
	StreamsPerUser int
	// FeedReaders limits the readers that wait for changes, as streams or long polls; default 256. They occupy no connection to the database
	// while they wait. One user may have FeedReadersPerUser; default 8.
	FeedReaders        int
	FeedReadersPerUser int

	BasePath     string // the path under which browsers and clients reach the service, such as "/graph"; requests may arrive without it
	PublicOrigin string // the origin of the service in browsers; empty: that of the header Host

	CORSOrigins    []string // exact origins such as "https://app.example"; none by default
	TrustedProxies []string // addresses or CIDR ranges whose forwarding headers are trusted; none by default

	// Description is the OpenAPI description that Docs serves; nil disables the variant with declared types.
	Description []byte
	Docs        Pages // serves /docs and its files; nil answers NOT_FOUND
	Web         Pages // serves the web interface at / and its files; nil answers NOT_FOUND

	System      System // what administrators see of the gateway
	Agents      Agents // serves /mcp; nil: there is nothing at this path
	AgentIssuer string // the identity provider whose tokens agents may send; empty: none is named
}

const (
	defaultMaxBody  = 1 << 20
	defaultMaxBatch = 1000
	// defaultStreams is far above the limit of one user and far below the number of connections to the database.
	defaultStreams            = 16
	defaultStreamsPerUser     = 1
	defaultFeedReaders        = 256
	defaultFeedReadersPerUser = 8
	defaultQueryTimeout       = 15 * time.Second
	defaultRateLimit          = 1000
	defaultRatePeriod         = time.Hour
	minCursorKey              = 32
	// deadlineMargin is added to the query timeout of a request, for authentication and for writing the response.
	deadlineMargin = 2 * time.Second
)

// API is the HTTP handler of the service. Create it with New.
type API struct {
	options  Options
	log      *slog.Logger
	engine   *gin.Engine
	cursors  cursorSigner
	ready    readiness
	draining atomic.Bool
	streams  *streams
	readers  *streams // of the change feed

	crossOriginProtection *http.CrossOriginProtection

	answerBudget answerBudget
	viewAudit    *viewAudit
}

// New validates the options, reporting all problems together, and builds the router.
func New(o Options) (*API, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	a := &API{options: o, log: o.Log, cursors: newCursorSigner(o.CursorKey)}
	a.streams = newStreams(o.Streams, o.StreamsPerUser, "imports and exports", ndjsonMediaType)
	a.readers = newStreams(o.FeedReaders, o.FeedReadersPerUser, "readers of the change feed", eventMediaType)
	a.answerBudget = answerBudget{limit: o.BytesInFlight, limitPerUser: o.BytesInFlightPerUser, perUser: map[string]int64{}}
	a.viewAudit = newViewAudit(o.RefusalAudit, time.Now)
	a.crossOriginProtection = http.NewCrossOriginProtection()
	if o.PublicOrigin != "" {
		if err := a.crossOriginProtection.AddTrustedOrigin(o.PublicOrigin); err != nil {
			return nil, fmt.Errorf("httpapi: public origin: %w", err)
		}
	}
	engine, err := a.newEngine()
	if err != nil {
		return nil, err
	}
	a.engine = engine
	return a, nil
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.draining.Load() {
		w.Header().Set("Connection", "close")
	}
	a.engine.ServeHTTP(w, a.withoutBasePath(r))
}

// StartDraining makes /readyz answer 503 from now on, so that load balancers stop sending requests; requests that still
// arrive are served, each as the last one of its connection. Imports and exports in progress are ended; their last line
// reports how far they got. Readers that wait for changes are ended too.
func (a *API) StartDraining() {
	a.draining.Store(true)
	a.streams.drain()
	a.readers.drain()
}

// complete sets defaults and reports every missing or invalid option.
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
	missing(o.Batches == nil, "Batches")
	missing(o.ChangeSets == nil, "ChangeSets")
	missing(o.Health == nil, "Health")
	missing(o.Monitor == nil, "Monitor")
	missing(o.Accounts == nil, "Accounts")
	missing(o.RateStore == nil, "RateStore")
	missing(len(o.CursorKey) < minCursorKey, "CursorKey (32 bytes or more)")
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.StoreContext == nil {
		o.StoreContext = func(request context.Context) context.Context { return request }
	}
	if o.Observer == nil {
		o.Observer = noObserver{}
	}
	if o.Limits == (graph.Limits{}) {
		o.Limits = graph.DefaultLimits
	}
	setPositive(&o.MaxBody, defaultMaxBody)
	setPositive(&o.MaxBatch, defaultMaxBatch)
	setPositive(&o.QueryTimeout, defaultQueryTimeout)
	setPositive(&o.BytesInFlight, defaultBytesInFlight)
	setPositive(&o.BytesInFlightPerUser, defaultBytesInFlightPerUser)
	setPositive(&o.RateLimit, defaultRateLimit)
	setPositive(&o.RatePeriod, defaultRatePeriod)
	setPositive(&o.Streams, defaultStreams)
	setPositive(&o.StreamsPerUser, defaultStreamsPerUser)
	setPositive(&o.FeedReaders, defaultFeedReaders)
	setPositive(&o.FeedReadersPerUser, defaultFeedReadersPerUser)
	for _, origin := range o.CORSOrigins {
		if err := checkOrigin(origin); err != nil {
			faults = append(faults, err)
		}
	}
	if err := checkBasePath(o.BasePath); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// setPositive gives an option its default unless it is positive.
func setPositive[T int | int64 | time.Duration](option *T, value T) {
	if *option <= 0 {
		*option = value
	}
}
