package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/auth"
)

// handler answers one request that has passed all checks of its row, or says why it cannot.
type handler func(*API, *call) error

// Access says who may use a route. Its zero value is no access at all and no row can be built with it: public is said,
// never implied.
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
	public   = Access{kind: accessPublic}   // no token is looked at
	signedIn = Access{kind: accessSignedIn} // any valid token
	admin    = Access{kind: accessAdmin}    // an admin's token
)

// needs is any token whose user holds the permission.
func needs(p auth.Permission) Access { return Access{kind: accessPermission, permission: p} }

// Public says whether the route is served without a token.
func (a Access) Public() bool { return a.kind == accessPublic }

// Allows says whether a principal with a valid token may use the route.
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

// String is "public", "signed in", "admin" or the permission.
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
		return "nobody"
	}
}

// bodyRule says what a route does with a request's body.
type bodyRule int

const (
	noBody   bodyRule = iota // a body is ignored and not read
	jsonBody                 // application/json, not empty, up to the cap
	lineBody                 // application/x-ndjson, of any length, read by the handler
)

// Route is one row of the table.
type Route struct {
	Method string
	Path   string // gin's pattern
	Access Access
	body   bodyRule
	query  []string // the query parameters known; nil with anyQuery
	// anyQuery lets unknown query parameters pass: pages and probes, whose callers add their own.
	anyQuery bool
	// stream says that the request or the answer may take as long as it goes on: see bulk.go.
	stream bool
	// abandonable ends the request's statements in the database when its client leaves: see abandoned.go.
	abandonable bool
	// also is a permission that a request needs besides that of Access; empty for none. Nil means none ever.
	also func(*http.Request) auth.Permission
	// keeps refuses a stream that goes on with a freedom that its user had when it began and has no longer. Nil where there is none.
	keeps  func(began, now auth.Principal) error
	handle handler
}

// row builds one row. A row that lacks its access or handler is a programming error found at start.
func row(method, path string, who Access, handle handler, query ...string) Route {
	if who.kind == accessUnset || handle == nil || path == "" || method == "" {
		panic("httpapi: incomplete route " + method + " " + path)
	}
	return Route{Method: method, Path: path, Access: who, handle: handle, query: query}
}

// get builds a GET row and its HEAD row, which differ in nothing but the body of the answer.
func get(path string, who Access, handle handler, query ...string) []Route {
	return []Route{row(http.MethodGet, path, who, handle, query...), row(http.MethodHead, path, who, handle, query...)}
}

// page is a get for people and probes: unknown query parameters do no harm there.
func page(path string, handle handler) []Route {
	rows := get(path, public, handle)
	for i := range rows {
		rows[i].anyQuery = true
	}
	return rows
}

// post builds a POST row that takes a JSON body.
func post(path string, who Access, handle handler) []Route {
	r := row(http.MethodPost, path, who, handle)
	r.body = jsonBody
	return []Route{r}
}

// put builds a PUT row and its PATCH row, which are the same operation.
func put(path string, who Access, handle handler) []Route {
	rows := []Route{row(http.MethodPut, path, who, handle), row(http.MethodPatch, path, who, handle)}
	for i := range rows {
		rows[i].body = jsonBody
	}
	return rows
}

// streaming makes rows whose answers may take long.
func streaming(rows []Route) []Route {
	for i := range rows {
		rows[i].stream = true
	}
	return rows
}

// importRow needs the permission to edit as well where lines may change what is there, and ends with what its user was free to do.
func importRow() Route {
	r := row(http.MethodPost, "/api/import", needs(auth.Create), (*API).importGraph, "on_conflict")
	r.body, r.stream = lineBody, true
	r.also, r.keeps = alsoEdit, keepsFreedoms
	return r
}

// Routes is the table of everything the service answers, GET as HEAD and PUT as PATCH.
func Routes() []Route {
	return slices.Concat(
		// Nodes
		abandonable(get("/api/nodes", needs(auth.Read), (*API).listNodes, "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),
		post("/api/nodes", needs(auth.Create), (*API).createNode),
		get("/api/nodes/:node_id", needs(auth.Read), (*API).getNode),
		put("/api/nodes/:node_id", needs(auth.Edit), (*API).updateNode),
		[]Route{row(http.MethodDelete, "/api/nodes/:node_id", needs(auth.Delete), (*API).deleteNode, "detach")},
		abandonable(get("/api/nodes/:node_id/edges", needs(auth.Read), (*API).listNodeEdges,
			"direction", "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),

		abandonable(get("/api/nodes/:node_id/degree", needs(auth.Read), (*API).getDegree)),
		abandonable(get("/api/nodes/:node_id/neighbors", needs(auth.Read), (*API).getNeighbors,
			"direction", "edge_type", "node_type", "depth", "limit", "max_degree")),
		abandonable(get("/api/paths", needs(auth.Read), (*API).findPaths, "source_id", "target_id", "edge_type", "direction", "max_depth", "all")),

		abandonable(get("/api/search", needs(auth.Read), (*API).search, "q", "index", "kind", "type", "property", "limit", "offset", "cursor")),

		// Edges
		abandonable(get("/api/edges", needs(auth.Read), (*API).listEdges,
			"type", "source_id", "target_id", "node_id", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),
		post("/api/edges", needs(auth.Create), (*API).createEdge),
		get("/api/edges/:id", needs(auth.Read), (*API).getEdge),
		put("/api/edges/:id", needs(auth.Edit), (*API).updateEdge),
		[]Route{row(http.MethodDelete, "/api/edges/:id", needs(auth.Delete), (*API).deleteEdge)},

		// Whole graphs
		[]Route{importRow()},
		streaming(get("/api/export", needs(auth.Read), (*API).exportGraph, "node_type", "edge_type")),

		// Schema
		get("/api/schema", needs(auth.Read), (*API).getSchema),
		get("/api/schema/nodes", needs(auth.Read), (*API).getNodeTypes),
		get("/api/schema/edges", needs(auth.Read), (*API).getEdgeTypes),

		// Authentication
		post("/api/auth/login", public, (*API).login),
		[]Route{row(http.MethodPost, "/api/auth/logout", signedIn, (*API).logout)},
		get("/api/auth/me", signedIn, (*API).me),
		[]Route{changePasswordRow()},

		// Administration of users
		get("/api/admin/users", admin, (*API).listUsers, "limit", "offset", "cursor"),
		post("/api/admin/users", admin, (*API).createUser),
		get("/api/admin/users/:username", admin, (*API).getUser),
		put("/api/admin/users/:username", admin, (*API).updateUser),
		[]Route{row(http.MethodDelete, "/api/admin/users/:username", admin, (*API).deleteUser)},

		// Administration of search indexes
		get("/api/admin/search-indexes", admin, (*API).listSearchIndexes),
		post("/api/admin/search-indexes", admin, (*API).createSearchIndex),
		get("/api/admin/search-indexes/:name", admin, (*API).getSearchIndex),
		[]Route{row(http.MethodDelete, "/api/admin/search-indexes/:name", admin, (*API).deleteSearchIndex)},

		// Administration of other indexes
		get("/api/admin/indexes", admin, (*API).listIndexes),
		post("/api/admin/indexes", admin, (*API).createIndex),
		get("/api/admin/indexes/:name", admin, (*API).getIndex),
		[]Route{row(http.MethodDelete, "/api/admin/indexes/:name", admin, (*API).deleteIndex)},

		get("/api/admin/index-advice", admin, (*API).adviseIndexes),

		// What was done
		get("/api/admin/audit", admin, (*API).listAudit,
			"user", "action", "kind", "entity", "outcome", "request_id", "since", "until", "limit", "cursor"),

		// Administration of types
		get("/api/admin/types", admin, (*API).listDeclaredTypes, "limit", "offset", "cursor"),
		get("/api/admin/types/:kind/:type", admin, (*API).getDeclaredType),
		[]Route{
			declareTypeRow(),
			row(http.MethodDelete, "/api/admin/types/:kind/:type", admin, (*API).undeclareType),
			row(http.MethodPost, "/api/admin/types/:kind/:type/propose", admin, (*API).proposeType),
		},
		abandonable(get("/api/admin/types/:kind/:type/violations", admin, (*API).listViolations, "limit", "offset", "cursor")),

		// Pages and probes
		page("/healthz", (*API).healthz),
		page("/readyz", (*API).readyz),
		page("/docs", (*API).serveDocs),
		page("/docs/*asset", (*API).serveDocs),

		// The web interface: its own addresses, which its router reads, and its files
		page("/", (*API).serveWeb),
		page("/explore", (*API).serveWeb),
		page("/schema", (*API).serveWeb),
		page("/users", (*API).serveWeb),
		page("/declared-types", (*API).serveWeb),
		page("/search-indexes", (*API).serveWeb),
		page("/audit", (*API).serveWeb),
		page("/assets/*asset", (*API).serveWeb),
		page("/static/*asset", (*API).serveWeb),
	)
}

// declareTypeRow has no PATCH twin: a declaration is replaced as a whole.
func declareTypeRow() Route {
	r := row(http.MethodPut, "/api/admin/types/:kind/:type", admin, (*API).declareType)
	r.body = jsonBody
	return r
}

// changePasswordRow has no PATCH twin: a password is replaced as a whole.
func changePasswordRow() Route {
	r := row(http.MethodPut, "/api/auth/password", signedIn, (*API).changePassword)
	r.body = jsonBody
	return r
}
