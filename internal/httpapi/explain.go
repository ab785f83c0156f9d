package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// explain answers POST /api/admin/explain.
//
//	@Summary		Explain a decision
//	@Description	Says what a request of a user would get as far as permissions and roles decide it, and which grants decide. Nothing is changed. The
//	@Description	code is that of the request, NOT_FOUND included; other reasons to reject it, such as invalid input, are not looked for.
//	@Description	The operations of a batch or a change set are simulated, each in the state that those before would leave. For an import, body is
//	@Description	{"lines":[...]} with up to 1,000 of its lines, and code that of the first line that the user may not import.
//	@Description	Needs the permission read as well if the decision depends on what is in the graph.
//	@Tags			Roles
//	@Param			body	body		ExplainBody	true	"The user and the request"
//	@Success		200		{object}	Answer[ExplanationDocument]
//	@Router			/api/admin/explain [post]
func (a *API) explain(c *call) error {
	e := explanation{call: c}
	var username, token string
	o := c.parseObject()
	if o != nil {
		username, e.method = o.String("user"), o.String("method")
		token, _ = o.OptionalString("token")
		if o.Has("method") && !o.Null("method") && e.method == "" {
			o.Invalid("method", "must be the method of a request, such as GET")
		}
		target, err := url.Parse(o.String("path"))
		if err != nil || !strings.HasPrefix(target.Path, "/") || target.Host != "" {
			o.Invalid("path", "must be the path of a request, such as /api/nodes")
		}
		e.target = target
		if o.Has("body") && !o.Null("body") {
			e.readBody(o)
		}
	}
	if err := c.finish(o); err != nil {
		return err
	}
	if err := e.identify(username, token); err != nil {
		return err
	}
	if err := e.decide(); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(e.document()))
	return nil
}

// identify finds whose request is explained: that of a user with a login or, if a token's id is given, with that personal token.
func (e *explanation) identify(username, token string) error {
	accounts, ctx := e.call.api.options.Accounts, e.call.ctx()
	p, err := accounts.PrincipalOf(ctx, username)
	if fault.CodeOf(err) == fault.NotFound {
		return fault.Invalid("user", "must be the name of a user")
	}
	if err == nil && token != "" {
		p, err = accounts.PrincipalOfPersonalToken(ctx, p.UserID, token)
		if fault.CodeOf(err) == fault.NotFound {
			return fault.Invalid("token", "must be the id of a personal token of the user")
		}
	}
	switch code := fault.CodeOf(err); code {
	case "", fault.TokenRevoked, fault.TokenExpired:
		e.principal, e.ended = p, code
		return nil
	}
	return err
}

// explanation collects the checks of a request that is not made, in their order, until one fails.
type explanation struct {
	call      *call
	method    string
	target    *url.URL
	route     Route
	values    map[string]string // path parameters
	principal auth.Principal
	ended     fault.Code // why the user's tokens, or the personal token, are refused; empty if they are not
	body      explainedBody

	code    fault.Code
	decided []rules.Decision
	checks  []CheckDocument
}

// explainedBody has the members of a write that rules concern.
type explainedBody struct {
	typ, source, target string
	properties          graph.Properties
	undo                journal.UndoRequest
	operations          []graph.Operation // of a batch
	lines               []graph.BulkLine  // of an import
}

func (e *explanation) readBody(o *typedjson.Object) {
	body := o.Object("body")
	if body == nil {
		o.Invalid("body", "must be an object")
		return
	}
	body.IgnoreUnknown()
	e.body.typ, _ = body.OptionalString("type")
	e.body.source, _ = body.OptionalString("source_id")
	e.body.target, _ = body.OptionalString("target_id")
	for name, member := range undoMembers(&e.body.undo) {
		*member, _ = body.OptionalString(name)
	}
	switch {
	case e.target == nil:
	case e.target.Path == batchPath:
		e.body.operations = e.call.readOperations(body)
	case e.target.Path == importPath:
		e.readLines(body)
	}
	if body.Has("properties") {
		e.body.properties, _ = body.ChangedProperties("properties", e.call.api.options.Limits)
	}
	o.FinishNested(body)
}

// pass adds a check that the request passes.
func (e *explanation) pass(check, detail string, decided ...rules.Decision) {
	e.checks = append(e.checks, CheckDocument{Check: check, Passed: true, Detail: detail})
	e.decided = append(e.decided, decided...)
}

// fail adds the check that ends the request. What decided it replaces what earlier checks were decided by.
func (e *explanation) fail(check, detail string, code fault.Code, decided ...rules.Decision) {
	e.checks = append(e.checks, CheckDocument{Check: check, Detail: detail})
	e.code, e.decided = code, decided
}

func (e *explanation) document() ExplanationDocument {
	d := ExplanationDocument{Allowed: e.code == "", Code: string(e.code), DecidedBy: []DecisionDocument{}, Checks: e.checks}
	for _, one := range e.decided {
		shown := DecisionDocument{Reason: one.Reason}
		if one.Role != "" {
			shown.Role = &one.Role
			if one.Grant != rules.NoGrant {
				shown.Grant = &one.Grant
			}
		}
		d.DecidedBy = append(d.DecidedBy, shown)
	}
	return d
}

// decide makes the checks of the pipeline, and then those of the route's entity.
func (e *explanation) decide() error {
	if code := e.matchRoute(); code != "" {
		e.fail("route", "there is no such operation", code)
		return nil
	}
	e.pass("route", e.route.Method+" "+e.route.Template())
	if e.route.Access.Public() {
		return nil
	}
	switch e.ended {
	case "":
	case fault.TokenExpired:
		e.fail("account", "the personal token has expired", e.ended)
		return nil
	default:
		e.fail("account", "the user is disabled, or the personal token has ended", e.ended)
		return nil
	}
	e.pass("account", "the user is enabled")
	e.checkAccess()
	if e.code == "" && e.route.Access.queries {
		return e.checkQueries()
	}
	if e.code != "" || e.route.Rules.mode != rulesObeyed {
		return nil
	}
	return e.checkEntity()
}

// checkAccess makes the checks that need no entity: see Route.Allows.
func (e *explanation) checkAccess() {
	if e.route.Access.kind != accessPermission {
		if !e.route.Allows(e.principal) {
			reason := "only administrators may do this"
			if e.route.Access.kind == accessLogin {
				reason = "a personal token cannot do this"
			}
			e.fail("access", reason, fault.PermissionDenied)
			return
		}
		e.pass("access", "needs no permission: "+e.route.Access.String())
		return
	}
	e.decided = append(e.decided, e.decidedByAccess()...)
	needed := e.route.Access.String()
	switch {
	case !e.route.Allows(e.principal):
		reason := "no permission and no grant has " + needed + " for " + e.route.Rules.String()
		switch {
		case e.route.Access.queries:
			reason = "the operation needs the permission " + needed + ", or a role whose queries name one"
		case e.route.Rules.mode != rulesObeyed:
			reason = "the operation needs the permission " + needed + "; grants do not suffice"
		}
		e.fail("access", reason, fault.PermissionDenied, rules.Decision{Reason: reason})
	case e.lacksExtra() != "":
		reason := "the request needs the permission " + string(e.lacksExtra()) + " as well"
		e.fail("access", reason, fault.PermissionDenied, rules.Decision{Reason: reason})
	default:
		e.pass("access", "the user has "+needed+" for everything or for parts of the graph")
	}
}

// decidedByAccess are the permission and the grants by which the principal may use the route; for saved queries see checkQueries.
func (e *explanation) decidedByAccess() (decided []rules.Decision) {
	if e.route.Access.queries {
		return nil
	}
	for _, action := range e.route.Access.permissions {
		if e.principal.May(action) {
			decided = append(decided, (*rules.View)(nil).Grants(rules.Action(action), graph.NodeKind)...)
		} else if e.route.Rules.mode == rulesObeyed {
			for _, kind := range e.route.Rules.kinds {
				decided = append(decided, e.principal.View.Grants(rules.Action(action), kind)...)
			}
		}
	}
	return decided
}

// checkQuestion checks that no rules limit a user who asks for the plan of a question.
func (e *explanation) checkQuestion() {
	if e.target.Query().Get("explain") == "true" && !e.principal.View.AllowsAll(rules.Read) {
		reason := "the plan of a question needs the permission read; grants do not suffice"
		e.fail("explain", reason, fault.PermissionDenied, rules.Decision{Reason: reason})
		return
	}
	e.pass("visible", "what no grant shows is absent from the answer")
}

// lacksExtra returns the additional permission that the user lacks for the query parameters.
func (e *explanation) lacksExtra() auth.Permission {
	return e.route.lacksExtra(&http.Request{URL: e.target}, e.principal)
}

// matchRoute finds the route of the request and its path parameters as the router does: among the routes of its method a literal segment
// comes before a parameter, and a path that only other methods have is METHOD_NOT_ALLOWED.
func (e *explanation) matchRoute() fault.Code {
	code := fault.NotFound
	if ambiguousPath(&http.Request{URL: e.target}) {
		return code
	}
	segments := strings.Split(e.target.EscapedPath(), "/")
	best := -1
	for _, r := range Routes() {
		values, literals := matchPath(strings.Split(r.Path, "/"), segments)
		switch {
		case values == nil:
		case r.Method != e.method:
			if best < 0 {
				code = fault.MethodNotAllowed
			}
		case literals > best:
			best, code = literals, ""
			e.route, e.values = r, values
		}
	}
	return code
}

// matchPath returns the path parameters, nil if the pattern does not match, and the number of literal segments.
func matchPath(pattern, segments []string) (values map[string]string, literals int) {
	values = map[string]string{}
	for i, part := range pattern {
		switch {
		case strings.HasPrefix(part, "*"):
			return values, literals
		case i >= len(segments):
			return nil, 0
		case strings.HasPrefix(part, ":"):
			value, err := url.PathUnescape(segments[i])
			if err != nil {
				return nil, 0
			}
			values[part[1:]] = value
		case part != segments[i]:
			return nil, 0
		default:
			literals++
		}
	}
	if len(segments) != len(pattern) {
		return nil, 0
	}
	return values, literals
}

// entityRoutes are the routes of one node or edge.
var entityRoutes = []string{"/api/nodes/:node_id", "/api/edges/:id"}

// checkEntity makes the checks of what the request names, creates or changes. Other routes answer what the user sees.
func (e *explanation) checkEntity() error {
	switch {
	case e.method == http.MethodPost && e.route.Path == "/api/nodes":
		return e.checkWrite(e.operation())
	case e.route.Path == questionPath:
		e.checkQuestion()
		return nil
	case strings.HasPrefix(e.route.Path, savedViewsPath+"/"):
		return e.checkSavedView()
	case e.dependsOnGraph():
		if !e.call.principal.May(auth.Read) { // whether a condition is met tells a value
			return errNeedsAsWell(auth.Read)
		}
		return e.checkInGraph()
	default:
		e.pass("visible", "what no grant shows is absent from the answer")
		return nil
	}
}

// dependsOnGraph reports whether the decision depends on what is in the graph.
func (e *explanation) dependsOnGraph() bool {
	reads := e.method == http.MethodGet || e.method == http.MethodHead
	return slices.Contains([]string{"/api/edges", "/api/undo", batchPath, importPath}, e.route.Path) && !reads ||
		strings.HasPrefix(e.route.Path, changeSetsPath) && !reads || e.route.Path == "/api/paths" || e.namesEntity()
}

// namesEntity reports whether the route is one of a node or an edge.
func (e *explanation) namesEntity() bool {
	return slices.ContainsFunc(entityRoutes, func(path string) bool {
		return e.route.Path == path || strings.HasPrefix(e.route.Path, path+"/")
	})
}

// checkInGraph makes the checks that depend on what is in the graph.
func (e *explanation) checkInGraph() error {
	switch {
	case e.route.Path == "/api/edges":
		return e.checkWrite(e.operation())
	case e.route.Path == "/api/undo":
		return e.checkUndo()
	case e.route.Path == "/api/paths":
		return e.checkPathEnds()
	case e.route.Path == batchPath:
		return e.checkBatch()
	case e.route.Path == importPath:
		return e.checkImport()
	case strings.HasPrefix(e.route.Path, changeSetsPath):
		return e.checkChangeSet()
	}
	kind, id := graph.NodeKind, e.values["node_id"]
	if strings.HasPrefix(e.route.Path, "/api/edges") {
		kind, id = graph.EdgeKind, e.values["id"]
	}
	if strings.HasSuffix(e.route.Path, "/history") || e.target.Query().Has("at") && slices.Contains(entityRoutes, e.route.Path) &&
		e.route.Access.permissions[0] == auth.Read {
		return e.checkPast(kind, id)
	}
	if e.route.Access.permissions[0] != auth.Read {
		return e.checkWrite(e.operation())
	}
	one, err := e.read(kind, id)
	if fault.CodeOf(err) == fault.NotFound {
		e.fail("entity", "there is no such "+string(kind), fault.NotFound)
		return nil
	}
	if err != nil {
		return err
	}
	e.checkRead(one)
	return nil
}
