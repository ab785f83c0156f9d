package httpapi

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// maxPathID is the longest id, element id or user name in a path, in bytes after unescaping.
const maxPathID = 1024

// call is one request that is being served by a route.
type call struct {
	gin       *gin.Context
	context   context.Context // ends at the request's deadline, or when the client disconnects
	api       *API
	route     Route
	principal auth.Principal // who sends the request, is limited and recorded; zero on public routes
	subject   auth.Principal // whose rights decide: the principal, or whom an administrator views as
	viewAs    *auth.ViewAs   // nil unless the request is viewed as somebody: see view_as.go
	body      []byte         // the whole body, on routes that take one
	query     queryParameters
	problems  []*fault.Error          // problems of the input so far, reported together
	refused   bool                    // a refusal was recorded
	recorder  *graph.BookmarkRecorder // records the bookmarks of the request's writes; nil if the route does not write
	held      answerReservation       // the bytes of the response
	etag      [1]string               // the header ETag
}

func (c *call) ctx() context.Context { return c.context }

// serve returns gin's handler for a route. The checks run in the documented order; gin has matched path and method before.
func (a *API) serve(r Route) gin.HandlerFunc {
	return func(gc *gin.Context) {
		c := &call{gin: gc, context: gc.Request.Context(), api: a, route: r}
		if !r.stream { // a stream has a timeout for each of its steps instead
			ctx, cancel := context.WithTimeout(c.context, a.options.QueryTimeout+deadlineMargin)
			defer cancel()
			c.context = a.options.StoreContext(ctx)
		}
		if r.abandonable {
			ctx, release := graph.StopWhenAbandoned(c.context, gc.Request.Context())
			defer release()
			c.context = ctx
		}
		if err := c.run(); err != nil {
			a.fail(gc, err)
		}
	}
}

func (c *call) run() error {
	if err := c.authenticate(); err != nil {
		c.auditRefusal(err)
		return err
	}
	if err := c.enforceRateLimit(); err != nil {
		return err
	}
	if err := c.readViewAs(); err != nil {
		c.auditRefusal(err)
		return err
	}
	if err := c.authorize(c.subject); err != nil {
		c.auditRefusal(err)
		return err
	}
	c.context = rules.WithView(c.context, c.subject.View)
	c.auditChanges()
	if !c.route.stream { // a stream has one entity in memory at a time
		c.held.budget, c.held.user = &c.api.answerBudget, c.principal.UserID
		defer c.held.release()
		c.context = graph.WithByteBudget(c.context, &c.held)
	}
	c.readBookmark()
	if err := c.readBody(); err != nil {
		return err
	}
	c.readQuery()
	err := c.route.handle(c.api, c)
	if c.route.Rules.mode == rulesObeyed { // by a grant; the checks above have recorded theirs
		c.auditRefusal(err)
	}
	return err
}

// authenticate determines the principal of the request: 401, or 503 if that is impossible at the moment.
func (c *call) authenticate() error {
	if c.route.Access.Public() {
		return nil
	}
	return c.identify()
}

// identify determines the principal by the token of the request, which must have one.
func (c *call) identify() error {
	if made := agentCallOf(c.ctx()); made != nil {
		c.principal, c.subject = made.principal, made.principal
		requestLogOf(c.gin).principal = made.principal
		return nil
	}
	ctx := c.ctx()
	if c.api.options.SingleSignOn != nil {
		ctx = audit.WithActor(ctx, c.identifyActor()) // the first request with a token of the identity provider is a login, which is audited
	}
	p, err := c.api.options.Accounts.Authenticate(ctx, c.gin.Request.Header["Authorization"])
	if err != nil {
		c.principal = auth.Principal{ // the token's user, if known
			UserID: p.UserID, Username: p.Username, PersonalToken: p.PersonalToken, TokenID: p.TokenID, TokenName: p.TokenName,
		}
		return err
	}
	c.principal, c.subject = p, p
	requestLogOf(c.gin).principal = p
	return nil
}

// authorize returns the same 403 whether or not the requested entity exists.
func (c *call) authorize(p auth.Principal) error {
	if c.route.Allows(p) {
		return c.authorizeExtra(p)
	}
	if c.route.Access.noServices && p.ServiceToken {
		return p.RequireLogin()
	}
	switch c.route.Access.kind {
	case accessAdmin:
		return fault.New(fault.PermissionDenied, "Permission denied: only administrators may do this")
	case accessUser, accessLogin:
		return p.RequireLogin()
	}
	return fault.New(fault.PermissionDenied, "Permission denied: this needs the permission "+c.route.Access.String())
}

// authorizeExtra checks the additional permission that the query parameters of a request require.
func (c *call) authorizeExtra(p auth.Principal) error {
	if extra := c.route.lacksExtra(c.gin.Request, p); extra != "" {
		return errNeedsAsWell(extra)
	}
	return nil
}

// errNeedsAsWell answers a request whose user may use the route and lacks an additional permission.
func errNeedsAsWell(extra auth.Permission) error {
	return fault.New(fault.PermissionDenied, "Permission denied: this needs the permission "+string(extra)+" as well")
}

// addProblem records a problem of the input; nil is ignored. All problems of a request are answered as one VALIDATION_ERROR: a fault with
// another code is returned by the handler instead.
func (c *call) addProblem(f *fault.Error) {
	if f != nil {
		c.problems = append(c.problems, f)
	}
}

// invalid records a problem of one field.
func (c *call) invalid(field, format string, args ...any) {
	c.addProblem(fault.Invalid(field, format, args...))
}

// validate returns all problems of the input as one VALIDATION_ERROR with the first problem of each field, or nil. Handlers call
// it after they have read the whole input.
func (c *call) validate() error {
	var details []fault.Detail
	for _, f := range c.problems {
		for _, d := range f.Details {
			if !slices.ContainsFunc(details, func(seen fault.Detail) bool { return seen.Field == d.Field }) {
				details = append(details, d)
			}
		}
	}
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.Validation, "Invalid input", details...)
}

// validateWithID returns the problems of the input as validate does, or NOT_FOUND if no entity can have the id.
func (c *call) validateWithID(what, id string) error {
	if err := c.validate(); err != nil {
		return err
	}
	if cannotBeID(id) {
		return fault.New(fault.NotFound, "There is no such "+what)
	}
	return nil
}

// readPathValue returns an unescaped path parameter. A value that is too long is a problem of the input.
func (c *call) readPathValue(name string) string {
	raw := c.gin.Param(name)
	value, err := url.PathUnescape(raw)
	if err != nil {
		c.invalid(name, "must be percent-encoded correctly")
		return ""
	}
	if len(value) > maxPathID {
		c.invalid(name, "must be at most %d bytes long", maxPathID)
	}
	return value
}

// cannotBeID reports whether no entity can have this id: the database would read it as a different text.
func cannotBeID(id string) bool {
	return id == "" || !utf8.ValidString(id) || strings.ContainsRune(id, 0)
}

// readTypeName reads a type name from the query; empty if it is absent.
func (c *call) readTypeName(parameter string) graph.TypeName {
	text, given := c.query.get(parameter)
	if !given {
		return ""
	}
	name, f := graph.ParseTypeName(parameter, text)
	c.addProblem(f)
	return name
}
