package httpapi

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// maxPathID is the longest id, element id or user name in a path, in bytes after unescaping.
const maxPathID = 1024

// call is one request on its way through a route.
type call struct {
	gin       *gin.Context
	context   context.Context // ends at the request's deadline, or when the client leaves
	api       *API
	route     Route
	principal auth.Principal // zero on public routes
	body      []byte         // the whole body, on routes that take one
	query     parameters
	mistakes  []*fault.Error          // what is wrong with the input so far, all answered together
	mark      *graph.BookmarkRecorder // where the request's writes left the database; nil where it makes none
}

func (c *call) ctx() context.Context { return c.context }

// serve makes gin's handler of a row. The checks run in the contract's order; route and method were gin's.
func (a *API) serve(r Route) gin.HandlerFunc {
	return func(gc *gin.Context) {
		c := &call{gin: gc, context: gc.Request.Context(), api: a, route: r}
		if !r.stream { // a stream bounds each of its steps instead
			ctx, cancel := context.WithTimeout(c.context, a.options.QueryTimeout+deadlineMargin)
			defer cancel()
			c.context = graph.WithWaitBudget(ctx)
		}
		if r.abandonable {
			ctx, release := endWhenAbandoned(c.context, gc.Request.Context())
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
	if err := c.takeToken(); err != nil {
		return err
	}
	if err := c.authorize(c.principal); err != nil {
		c.auditRefusal(err)
		return err
	}
	c.auditChanges()
	if !c.route.stream { // a stream holds one entity at a time
		held := &answerHold{bytes: &c.api.answerBytes, user: c.principal.UserID}
		defer held.release()
		c.context = graph.WithByteBudget(c.context, held)
	}
	c.readBookmark()
	if err := c.readBody(); err != nil {
		return err
	}
	c.readQuery()
	return c.route.handle(c.api, c)
}

// authenticate finds out who asks: 401, or 503 when that cannot be known.
func (c *call) authenticate() error {
	if c.route.Access.Public() {
		return nil
	}
	p, err := c.api.options.Accounts.Authenticate(c.ctx(), c.gin.Request.Header["Authorization"])
	if err != nil {
		c.principal = auth.Principal{UserID: p.UserID, Username: p.Username} // whose token it was, if that is known
		return err
	}
	c.principal = p
	noteOf(c.gin).principal = p
	return nil
}

// authorize answers 403, which is the same whether or not what is asked for exists.
func (c *call) authorize(p auth.Principal) error {
	if c.route.Access.Allows(p) {
		return c.authorizeMore(p)
	}
	if c.route.Access.kind == accessAdmin {
		return fault.New(fault.PermissionDenied, "Permission denied: only administrators may do this")
	}
	return fault.New(fault.PermissionDenied, "Permission denied: this needs the permission "+c.route.Access.String())
}

// authorizeMore asks for the permission that a request needs besides that of its row, for what its query asks for.
func (c *call) authorizeMore(p auth.Principal) error {
	if c.route.also == nil {
		return nil
	}
	if also := c.route.also(c.gin.Request); also != "" && !p.May(also) {
		return fault.New(fault.PermissionDenied, "Permission denied: this needs the permission "+string(also)+" as well")
	}
	return nil
}

// note adds a mistake in the input.
func (c *call) note(f *fault.Error) {
	if f != nil {
		c.mistakes = append(c.mistakes, f)
	}
}

// invalid adds a mistake in one field.
func (c *call) invalid(field, format string, args ...any) {
	c.note(fault.Invalid(field, format, args...))
}

// checked is all mistakes in the input as one VALIDATION_ERROR, or nil: the first of each field. Handlers ask it once they
// have read everything.
func (c *call) checked() error {
	var details []fault.Detail
	for _, f := range c.mistakes {
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

// pathValue is a segment of the path, unescaped. Over-long values are mistakes in the input.
func (c *call) pathValue(name string) string {
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

// impossible says whether a text can be no id of anything: the database would read it as another one.
func impossible(id string) bool {
	return id == "" || !utf8.ValidString(id) || strings.ContainsRune(id, 0)
}

// typeName reads a type name from the query, empty when it is not given.
func (c *call) typeName(parameter string) graph.TypeName {
	text, given := c.query.get(parameter)
	if !given {
		return ""
	}
	name, f := graph.ParseTypeName(parameter, text)
	c.note(f)
	return name
}
