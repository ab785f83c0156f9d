package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
)

// handler answers one request that has passed all checks of its route, or returns the error to answer.
type handler func(*API, *call) error

// Access defines who may use a route. Its zero value allows no access, and newRoute panics on it: public access must be stated.
type Access struct {
	kind        accessKind
	permissions []auth.Permission // any of them
	noServices  bool              // not even with the permission may service tokens use the route
}

type accessKind int

const (
	accessUnset accessKind = iota
	accessPublic
	accessSignedIn
	accessUser
	accessPermission
	accessAdmin
)

var (
	public    = Access{kind: accessPublic}   // tokens are ignored
	signedIn  = Access{kind: accessSignedIn} // any valid token
	usersOnly = Access{kind: accessUser}     // any valid token of a user, but no service token
	admin     = Access{kind: accessAdmin}    // the token of an administrator
)

// needs allows any token whose user has the permission.
func needs(p auth.Permission) Access { return needsAny(p) }

// needsAny allows any token whose user has at least one of the permissions. The handler decides on the rest.
func needsAny(p ...auth.Permission) Access { return Access{kind: accessPermission, permissions: p} }

// ofUsers excludes service tokens.
func (a Access) ofUsers() Access {
	a.noServices = true
	return a
}

// Public reports whether the route is served without a token.
func (a Access) Public() bool { return a.kind == accessPublic }

// Allows reports whether a principal with a valid token may use the route.
func (a Access) Allows(p auth.Principal) bool {
	if a.noServices && p.ServiceToken {
		return false
	}
	switch a.kind {
	case accessPublic, accessSignedIn:
		return true
	case accessUser:
		return !p.ServiceToken
	case accessPermission:
		return slices.ContainsFunc(a.permissions, p.May)
	case accessAdmin:
		return p.Admin && !p.ServiceToken
	default:
		return false
	}
}

// String returns "public", "signed in", "user", "admin", or the permission or permissions.
func (a Access) String() string {
	switch a.kind {
	case accessPublic:
		return "public"
	case accessSignedIn:
		return "signed in"
	case accessUser:
		return "user"
	case accessPermission:
		return strings.Join(mapSlice(a.permissions, func(p auth.Permission) string { return string(p) }), " or ")
	case accessAdmin:
		return "admin"
	default:
		return "none"
	}
}

// bodyFormat is the format of a route's request body.
type bodyFormat int

const (
	noBody     bodyFormat = iota // a body is ignored and not read
	jsonBody                     // application/json, not empty, up to Options.MaxBody
	ndjsonBody                   // application/x-ndjson, of any length, read by the handler
)

// Route is one row of the route table.
type Route struct {
	Method string
	Path   string // gin's pattern
	Access Access
	Rules  Rules
	body   bodyFormat
	query  []string // the query parameters that are allowed; nil with anyQuery
	// anyQuery allows unknown query parameters, for pages and probes, whose clients add their own.
	anyQuery bool
	// stream marks requests and responses without an overall timeout: see streams.go.
	stream bool
	// abandonable ends the request's statements in the database when its client leaves: see abandoned.go.
	abandonable bool
	// readOnly marks a POST that changes nothing: see mayWrite.
	readOnly bool
	// personal marks routes about what belongs to the request's user instead of the graph: nobody can view them as somebody else.
	personal bool
	// extraPermission returns a permission that a request needs in addition to Access; empty for none. Nil means none ever.
	extraPermission func(*http.Request) auth.Permission
	// checkPrivileges ends a stream whose user has lost a privilege that the stream began with. Nil if there is none.
	checkPrivileges func(began, now auth.Principal) error
	handle          handler
}

// newRoute builds one route. It panics if the access, the statement on rules or the handler is missing, which is a programming error.
func newRoute(method, path string, who Access, obeys Rules, handle handler, query ...string) Route {
	if who.kind == accessUnset || obeys.mode == rulesUnset || handle == nil || path == "" || method == "" {
		panic("httpapi: incomplete route " + method + " " + path)
	}
	return Route{Method: method, Path: path, Access: who, Rules: obeys, handle: handle, query: query}
}

// getRoutes builds a GET route and its HEAD route, which differ only in the body of the response.
func getRoutes(path string, who Access, obeys Rules, handle handler, query ...string) []Route {
	return []Route{newRoute(http.MethodGet, path, who, obeys, handle, query...), newRoute(http.MethodHead, path, who, obeys, handle, query...)}
}

// pageRoutes builds the GET and HEAD routes of a page or a probe; they allow unknown query parameters.
func pageRoutes(path string, handle handler) []Route {
	rows := getRoutes(path, public, noRules, handle)
	for i := range rows {
		rows[i].anyQuery = true
	}
	return rows
}

// postRoute builds a POST route with a JSON body.
func postRoute(path string, who Access, obeys Rules, handle handler) []Route {
	r := newRoute(http.MethodPost, path, who, obeys, handle)
	r.body = jsonBody
	return []Route{r}
}

// putRoutes builds a PUT route and its PATCH route, which are the same operation.
func putRoutes(path string, who Access, obeys Rules, handle handler) []Route {
	rows := []Route{newRoute(http.MethodPut, path, who, obeys, handle), newRoute(http.MethodPatch, path, who, obeys, handle)}
	for i := range rows {
		rows[i].body = jsonBody
	}
	return rows
}

// readingRoute builds a POST route that reads by its JSON body and may run long.
func readingRoute(path string, obeys Rules, handle handler) []Route {
	rows := abandonable(postRoute(path, needs(auth.Read), obeys, handle))
	rows[0].readOnly = true
	return rows
}

// mayWrite reports whether a request of the route may change something: then it has an actor for the audit, and may give a bookmark.
func (r Route) mayWrite() bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && !r.readOnly
}

// streaming marks routes as streams.
func streaming(rows []Route) []Route {
	for i := range rows {
		rows[i].stream = true
	}
	return rows
}

// importRoute also needs the permission edit, or a grant, if lines may change existing entities, and ends when its user loses a privilege.
func importRoute() Route {
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	r := newRoute(http.MethodPost, "/api/import", needs(auth.Create), obeyed, (*API).importGraph, "on_conflict")
	r.body, r.stream = ndjsonBody, true
	r.extraPermission, r.checkPrivileges = editIfMerge, checkImportPrivileges
	return r
}

// batchRoute needs the permission of each of its operations, or a grant, which the handler checks.
func batchRoute() Route {
	access, obeyed := needsAny(auth.Create, auth.Edit, auth.Delete), rulesApplied(graph.NodeKind, graph.EdgeKind)
	r := newRoute(http.MethodPost, "/api/batch", access, obeyed, (*API).applyBatch, "dry_run")
	r.body = jsonBody
	return r
}

// Routes returns the table of all routes; each GET has a HEAD and most PUTs have a PATCH.
func Routes() []Route {
	return slices.Concat(
		// Nodes
		abandonable(
			getRoutes(
				"/api/nodes",
				needs(auth.Read), rulesApplied(graph.NodeKind),
				(*API).listNodes,
				"type",
				"limit",
				"offset",
				"cursor",
				"filter",
				"sort",
				"fields",
				"count",
			),
		),
		postRoute("/api/nodes", needs(auth.Create), rulesApplied(graph.NodeKind), (*API).createNode),
		getRoutes("/api/nodes/:node_id", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).getNode, "at"),
		putRoutes("/api/nodes/:node_id", needs(auth.Edit), rulesApplied(graph.NodeKind), (*API).updateNode),
		[]Route{newRoute(http.MethodDelete, "/api/nodes/:node_id", needs(auth.Delete), rulesApplied(graph.NodeKind), (*API).deleteNode, "detach")},
		abandonable(getRoutes("/api/nodes/:node_id/edges", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listNodeEdges,
			"direction", "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count", "ends")),

		abandonable(getRoutes("/api/nodes/:node_id/degree", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).getDegree)),
		abandonable(getRoutes("/api/nodes/:node_id/neighbors", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).getNeighbors,
			"direction", "edge_type", "node_type", "depth", "limit", "max_degree")),
		abandonable(
			getRoutes(
				"/api/paths",
				needs(auth.Read), rulesApplied(graph.NodeKind),
				(*API).findPaths,
				"source_id",
				"target_id",
				"edge_type",
				"direction",
				"max_depth",
				"all",
			),
		),

		abandonable(
			getRoutes(
				"/api/search",
				needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind),
				(*API).search,
				"q",
				"index",
				"kind",
				"type",
				"property",
				"limit",
				"offset",
				"cursor",
			),
		),

		// Edges
		abandonable(getRoutes("/api/edges", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listEdges,
			"type", "source_id", "target_id", "node_id", "limit", "offset", "cursor", "filter", "sort", "fields", "count", "ends")),
		readingRoute("/api/edges/among", rulesApplied(graph.EdgeKind), (*API).listEdgesAmong),
		postRoute("/api/edges", needs(auth.Create), rulesApplied(graph.EdgeKind), (*API).createEdge),
		getRoutes("/api/edges/:id", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).getEdge, "at", "ends"),
		putRoutes("/api/edges/:id", needs(auth.Edit), rulesApplied(graph.EdgeKind), (*API).updateEdge),
		[]Route{newRoute(http.MethodDelete, "/api/edges/:id", needs(auth.Delete), rulesApplied(graph.EdgeKind), (*API).deleteEdge)},

		aggregateRoutes(),
		[]Route{batchRoute()},

		changeSetRoutes(),
		savedViewRoutes(),

		// Whole graphs
		[]Route{importRoute()},
		streaming(getRoutes("/api/export", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).exportGraph, "node_type", "edge_type")),

		// History
		getRoutes("/api/nodes/:node_id/history", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).listNodeHistory, "limit", "cursor"),
		getRoutes("/api/edges/:id/history", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listEdgeHistory, "limit", "cursor"),
		getRoutes("/api/trash", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).listTrash,
			"type", "kind", "user", "since", "until", "limit", "cursor"),
		postRoute("/api/undo", needsAny(auth.Create, auth.Edit, auth.Delete), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).undo),
		streaming(getRoutes(feedPath, needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).readChanges,
			"since", "kind", "type", "action", "last", "limit", "wait")),

		// Schema
		getRoutes("/api/schema", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).getSchema),
		getRoutes("/api/schema/nodes", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).getNodeTypes),
		getRoutes("/api/schema/edges", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).getEdgeTypes),

		// Authentication
		postRoute("/api/auth/login", public, noRules, (*API).login),
		[]Route{newRoute(http.MethodPost, "/api/auth/logout", usersOnly, noRules, (*API).logout)},
		getRoutes("/api/auth/me", signedIn, noRules, (*API).me),
		[]Route{changePasswordRoute()},
		getRoutes("/api/auth/methods", public, noRules, (*API).getLoginMethods),
		singleSignOnRoutes(),

		// Administration of users
		getRoutes("/api/admin/users", admin, noRules, (*API).listUsers, "limit", "offset", "cursor"),
		postRoute("/api/admin/users", admin, noRules, (*API).createUser),
		getRoutes("/api/admin/users/:username", admin, noRules, (*API).getUser),
		putRoutes("/api/admin/users/:username", admin, noRules, (*API).updateUser),
		[]Route{newRoute(http.MethodDelete, "/api/admin/users/:username", admin, noRules, (*API).deleteUser)},

		// Administration of roles
		getRoutes("/api/admin/roles", admin, noRules, (*API).listRoles, "limit", "offset", "cursor"),
		postRoute("/api/admin/roles", admin, noRules, (*API).createRole),
		[]Route{previewRoute()},
		getRoutes("/api/admin/roles/:name", admin, noRules, (*API).getRole),
		putRoutes("/api/admin/roles/:name", admin, noRules, (*API).updateRole),
		[]Route{newRoute(http.MethodDelete, "/api/admin/roles/:name", admin, noRules, (*API).deleteRole)},

		postRoute("/api/admin/explain", admin, noRules, (*API).explain),

		// Administration of service tokens
		getRoutes("/api/admin/tokens", admin, noRules, (*API).listServiceTokens, "limit", "offset", "cursor"),
		postRoute("/api/admin/tokens", admin, noRules, (*API).createServiceToken),
		[]Route{newRoute(http.MethodDelete, "/api/admin/tokens/:id", admin, noRules, (*API).deleteServiceToken)},

		// Administration of search indexes
		getRoutes("/api/admin/search-indexes", admin, noRules, (*API).listSearchIndexes),
		postRoute("/api/admin/search-indexes", admin, noRules, (*API).createSearchIndex),
		getRoutes("/api/admin/search-indexes/:name", admin, noRules, (*API).getSearchIndex),
		[]Route{newRoute(http.MethodDelete, "/api/admin/search-indexes/:name", admin, noRules, (*API).deleteSearchIndex)},

		// Administration of other indexes
		getRoutes("/api/admin/indexes", admin, noRules, (*API).listIndexes),
		postRoute("/api/admin/indexes", admin, noRules, (*API).createIndex),
		getRoutes("/api/admin/indexes/:name", admin, noRules, (*API).getIndex),
		[]Route{newRoute(http.MethodDelete, "/api/admin/indexes/:name", admin, noRules, (*API).deleteIndex)},

		getRoutes("/api/admin/index-advice", admin, noRules, (*API).adviseIndexes),

		// Audit log
		getRoutes("/api/admin/audit", admin, noRules, (*API).listAudit,
			"user", "action", "kind", "entity", "outcome", "request_id", "since", "until", "limit", "cursor"),

		[]Route{newRoute(http.MethodDelete, "/api/admin/history/:kind/:id", admin, noRules, (*API).eraseHistory)},

		// Administration of webhooks
		getRoutes("/api/admin/webhooks", admin, noRules, (*API).listWebhooks),
		postRoute("/api/admin/webhooks", admin, noRules, (*API).createWebhook),
		getRoutes("/api/admin/webhooks/:name", admin, noRules, (*API).getWebhook),
		putRoutes("/api/admin/webhooks/:name", admin, noRules, (*API).updateWebhook),
		[]Route{newRoute(http.MethodDelete, "/api/admin/webhooks/:name", admin, noRules, (*API).deleteWebhook)},
		getRoutes("/api/admin/webhooks/:name/deliveries", admin, noRules, (*API).listDeliveries, "state", "limit", "cursor"),
		[]Route{newRoute(http.MethodPost, "/api/admin/webhooks/:name/deliveries/:id/retry", admin, noRules, (*API).retryDelivery)},

		// Administration of types
		getRoutes("/api/admin/types", admin, noRules, (*API).listDeclaredTypes, "limit", "offset", "cursor"),
		getRoutes("/api/admin/types/:kind/:type", admin, noRules, (*API).getDeclaredType),
		[]Route{
			declareTypeRoute(),
			newRoute(http.MethodDelete, "/api/admin/types/:kind/:type", admin, noRules, (*API).undeclareType),
			newRoute(http.MethodPost, "/api/admin/types/:kind/:type/propose", admin, noRules, (*API).proposeType),
		},
		abandonable(getRoutes("/api/admin/types/:kind/:type/violations", admin, noRules, (*API).listViolations, "limit", "offset", "cursor")),

		// Pages and probes
		pageRoutes("/healthz", (*API).healthz),
		pageRoutes("/readyz", (*API).readyz),
		pageRoutes("/docs", (*API).serveDocs),
		pageRoutes("/docs/*asset", (*API).serveDocs),

		// The web interface: the paths of its router, and its files
		pageRoutes("/", (*API).serveWeb),
		pageRoutes("/explore", (*API).serveWeb),
		pageRoutes("/schema", (*API).serveWeb),
		pageRoutes("/users", (*API).serveWeb),
		pageRoutes("/changes", (*API).serveWeb),
		pageRoutes("/trash", (*API).serveWeb),
		pageRoutes("/change-sets", (*API).serveWeb),
		pageRoutes("/change-sets/:id", (*API).serveWeb),
		pageRoutes("/views/:id", (*API).serveWeb),
		pageRoutes("/declared-types", (*API).serveWeb),
		pageRoutes("/search-indexes", (*API).serveWeb),
		pageRoutes("/audit", (*API).serveWeb),
		pageRoutes("/assets/*asset", (*API).serveWeb),
		pageRoutes("/static/*asset", (*API).serveWeb),
	)
}

// declareTypeRoute has no PATCH twin: a declaration is replaced as a whole.
func declareTypeRoute() Route {
	r := newRoute(http.MethodPut, "/api/admin/types/:kind/:type", admin, noRules, (*API).declareType)
	r.body = jsonBody
	return r
}

// changePasswordRoute has no PATCH twin: a password is replaced as a whole.
func changePasswordRoute() Route {
	r := newRoute(http.MethodPut, "/api/auth/password", usersOnly, noRules, (*API).changePassword)
	r.body = jsonBody
	return r
}
