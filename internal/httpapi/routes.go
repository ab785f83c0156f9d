package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/auth"
)

// handler answers one request that has passed all checks of its route, or returns the error to answer.
type handler func(*API, *call) error

// Access defines who may use a route. Its zero value allows no access, and newRoute panics on it: public access must be stated.
type Access struct {
	kind       accessKind
	permission auth.Permission
}

type accessKind int

const (
	accessUnset accessKind = iota
	accessPublic
	accessSignedIn
	accessPermission
	accessAdmin
)

var (
	public   = Access{kind: accessPublic}   // tokens are ignored
	signedIn = Access{kind: accessSignedIn} // any valid token
	admin    = Access{kind: accessAdmin}    // the token of an administrator
)

// needs allows any token whose user has the permission.
func needs(p auth.Permission) Access { return Access{kind: accessPermission, permission: p} }

// Public reports whether the route is served without a token.
func (a Access) Public() bool { return a.kind == accessPublic }

// Allows reports whether a principal with a valid token may use the route.
func (a Access) Allows(p auth.Principal) bool {
	switch a.kind {
	case accessPublic, accessSignedIn:
		return true
	case accessPermission:
		return p.May(a.permission)
	case accessAdmin:
		return p.Admin
	default:
		return false
	}
}

// String returns "public", "signed in", "admin" or the permission.
func (a Access) String() string {
	switch a.kind {
	case accessPublic:
		return "public"
	case accessSignedIn:
		return "signed in"
	case accessPermission:
		return string(a.permission)
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
	body   bodyFormat
	query  []string // the query parameters that are allowed; nil with anyQuery
	// anyQuery allows unknown query parameters, for pages and probes, whose clients add their own.
	anyQuery bool
	// stream marks requests and responses without an overall timeout: see streams.go.
	stream bool
	// abandonable ends the request's statements in the database when its client leaves: see abandoned.go.
	abandonable bool
	// extraPermission returns a permission that a request needs in addition to Access; empty for none. Nil means none ever.
	extraPermission func(*http.Request) auth.Permission
	// checkPrivileges ends a stream whose user has lost a privilege that the stream began with. Nil if there is none.
	checkPrivileges func(began, now auth.Principal) error
	handle          handler
}

// newRoute builds one route. It panics if the access or the handler is missing, which is a programming error.
func newRoute(method, path string, who Access, handle handler, query ...string) Route {
	if who.kind == accessUnset || handle == nil || path == "" || method == "" {
		panic("httpapi: incomplete route " + method + " " + path)
	}
	return Route{Method: method, Path: path, Access: who, handle: handle, query: query}
}

// getRoutes builds a GET route and its HEAD route, which differ only in the body of the response.
func getRoutes(path string, who Access, handle handler, query ...string) []Route {
	return []Route{newRoute(http.MethodGet, path, who, handle, query...), newRoute(http.MethodHead, path, who, handle, query...)}
}

// pageRoutes builds the GET and HEAD routes of a page or a probe; they allow unknown query parameters.
func pageRoutes(path string, handle handler) []Route {
	rows := getRoutes(path, public, handle)
	for i := range rows {
		rows[i].anyQuery = true
	}
	return rows
}

// postRoute builds a POST route with a JSON body.
func postRoute(path string, who Access, handle handler) []Route {
	r := newRoute(http.MethodPost, path, who, handle)
	r.body = jsonBody
	return []Route{r}
}

// putRoutes builds a PUT route and its PATCH route, which are the same operation.
func putRoutes(path string, who Access, handle handler) []Route {
	rows := []Route{newRoute(http.MethodPut, path, who, handle), newRoute(http.MethodPatch, path, who, handle)}
	for i := range rows {
		rows[i].body = jsonBody
	}
	return rows
}

// streaming marks routes as streams.
func streaming(rows []Route) []Route {
	for i := range rows {
		rows[i].stream = true
	}
	return rows
}

// importRoute also needs the permission edit if lines may change existing entities, and ends when its user loses a privilege.
func importRoute() Route {
	r := newRoute(http.MethodPost, "/api/import", needs(auth.Create), (*API).importGraph, "on_conflict")
	r.body, r.stream = ndjsonBody, true
	r.extraPermission, r.checkPrivileges = editIfMerge, checkImportPrivileges
	return r
}

// Routes returns the table of all routes; each GET has a HEAD and most PUTs have a PATCH.
func Routes() []Route {
	return slices.Concat(
		// Nodes
		abandonable(getRoutes("/api/nodes", needs(auth.Read), (*API).listNodes, "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),
		postRoute("/api/nodes", needs(auth.Create), (*API).createNode),
		getRoutes("/api/nodes/:node_id", needs(auth.Read), (*API).getNode),
		putRoutes("/api/nodes/:node_id", needs(auth.Edit), (*API).updateNode),
		[]Route{newRoute(http.MethodDelete, "/api/nodes/:node_id", needs(auth.Delete), (*API).deleteNode, "detach")},
		abandonable(getRoutes("/api/nodes/:node_id/edges", needs(auth.Read), (*API).listNodeEdges,
			"direction", "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),

		abandonable(getRoutes("/api/nodes/:node_id/degree", needs(auth.Read), (*API).getDegree)),
		abandonable(getRoutes("/api/nodes/:node_id/neighbors", needs(auth.Read), (*API).getNeighbors,
			"direction", "edge_type", "node_type", "depth", "limit", "max_degree")),
		abandonable(getRoutes("/api/paths", needs(auth.Read), (*API).findPaths, "source_id", "target_id", "edge_type", "direction", "max_depth", "all")),

		abandonable(getRoutes("/api/search", needs(auth.Read), (*API).search, "q", "index", "kind", "type", "property", "limit", "offset", "cursor")),

		// Edges
		abandonable(getRoutes("/api/edges", needs(auth.Read), (*API).listEdges,
			"type", "source_id", "target_id", "node_id", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),
		postRoute("/api/edges", needs(auth.Create), (*API).createEdge),
		getRoutes("/api/edges/:id", needs(auth.Read), (*API).getEdge),
		putRoutes("/api/edges/:id", needs(auth.Edit), (*API).updateEdge),
		[]Route{newRoute(http.MethodDelete, "/api/edges/:id", needs(auth.Delete), (*API).deleteEdge)},

		// Whole graphs
		[]Route{importRoute()},
		streaming(getRoutes("/api/export", needs(auth.Read), (*API).exportGraph, "node_type", "edge_type")),

		// Schema
		getRoutes("/api/schema", needs(auth.Read), (*API).getSchema),
		getRoutes("/api/schema/nodes", needs(auth.Read), (*API).getNodeTypes),
		getRoutes("/api/schema/edges", needs(auth.Read), (*API).getEdgeTypes),

		// Authentication
		postRoute("/api/auth/login", public, (*API).login),
		[]Route{newRoute(http.MethodPost, "/api/auth/logout", signedIn, (*API).logout)},
		getRoutes("/api/auth/me", signedIn, (*API).me),
		[]Route{changePasswordRoute()},

		// Administration of users
		getRoutes("/api/admin/users", admin, (*API).listUsers, "limit", "offset", "cursor"),
		postRoute("/api/admin/users", admin, (*API).createUser),
		getRoutes("/api/admin/users/:username", admin, (*API).getUser),
		putRoutes("/api/admin/users/:username", admin, (*API).updateUser),
		[]Route{newRoute(http.MethodDelete, "/api/admin/users/:username", admin, (*API).deleteUser)},

		// Administration of search indexes
		getRoutes("/api/admin/search-indexes", admin, (*API).listSearchIndexes),
		postRoute("/api/admin/search-indexes", admin, (*API).createSearchIndex),
		getRoutes("/api/admin/search-indexes/:name", admin, (*API).getSearchIndex),
		[]Route{newRoute(http.MethodDelete, "/api/admin/search-indexes/:name", admin, (*API).deleteSearchIndex)},

		// Administration of other indexes
		getRoutes("/api/admin/indexes", admin, (*API).listIndexes),
		postRoute("/api/admin/indexes", admin, (*API).createIndex),
		getRoutes("/api/admin/indexes/:name", admin, (*API).getIndex),
		[]Route{newRoute(http.MethodDelete, "/api/admin/indexes/:name", admin, (*API).deleteIndex)},

		getRoutes("/api/admin/index-advice", admin, (*API).adviseIndexes),

		// Audit log
		getRoutes("/api/admin/audit", admin, (*API).listAudit,
			"user", "action", "kind", "entity", "outcome", "request_id", "since", "until", "limit", "cursor"),

		// Administration of types
		getRoutes("/api/admin/types", admin, (*API).listDeclaredTypes, "limit", "offset", "cursor"),
		getRoutes("/api/admin/types/:kind/:type", admin, (*API).getDeclaredType),
		[]Route{
			declareTypeRoute(),
			newRoute(http.MethodDelete, "/api/admin/types/:kind/:type", admin, (*API).undeclareType),
			newRoute(http.MethodPost, "/api/admin/types/:kind/:type/propose", admin, (*API).proposeType),
		},
		abandonable(getRoutes("/api/admin/types/:kind/:type/violations", admin, (*API).listViolations, "limit", "offset", "cursor")),

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
		pageRoutes("/declared-types", (*API).serveWeb),
		pageRoutes("/search-indexes", (*API).serveWeb),
		pageRoutes("/audit", (*API).serveWeb),
		pageRoutes("/assets/*asset", (*API).serveWeb),
		pageRoutes("/static/*asset", (*API).serveWeb),
	)
}

// declareTypeRoute has no PATCH twin: a declaration is replaced as a whole.
func declareTypeRoute() Route {
	r := newRoute(http.MethodPut, "/api/admin/types/:kind/:type", admin, (*API).declareType)
	r.body = jsonBody
	return r
}

// changePasswordRoute has no PATCH twin: a password is replaced as a whole.
func changePasswordRoute() Route {
	r := newRoute(http.MethodPut, "/api/auth/password", signedIn, (*API).changePassword)
	r.body = jsonBody
	return r
}
