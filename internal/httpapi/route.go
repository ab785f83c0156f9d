package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/auth"
)

// handler answers one request that has passed all checks of its route, or returns the error to answer.
type handler func(*API, *call) error

// bodyFormat is the format of a route's request body.
type bodyFormat int

const (
	noBody     bodyFormat = iota // a body is ignored and not read
	jsonBody                     // application/json, not empty, up to Options.MaxBody
	ndjsonBody                   // application/x-ndjson, of any length, read by the handler
)

// Conflict is a reason for CONFLICT that several routes share, as the OpenAPI description has it.
type Conflict string

const (
	notRecorded        Conflict = "changes are not recorded"
	constraintViolated Conflict = "a constraint in the database"
	nodeIDShared       Conflict = "more than one node has the id"
	edgeIDShared       Conflict = "more than one edge has the id"
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
	// namedQuery allows any query parameter beside those of query: the handler knows the names.
	namedQuery bool
	// stream marks requests and responses without an overall timeout: see streams.go.
	stream bool
	// abandonable ends the request's statements in the database when its client leaves: see graph/stop.go.
	abandonable bool
	// readOnly marks a POST that changes nothing: see mayWrite.
	readOnly bool
	// personal marks routes about data of the user of the request, such as a password: an administrator cannot view them as another user.
	personal bool
	// extraPermission returns a permission that a request needs in addition to Access; empty for none. Nil means none ever.
	extraPermission func(*http.Request) auth.Permission
	// checkPrivileges ends a stream whose user has lost a privilege that the stream began with. Nil if there is none.
	checkPrivileges func(began, now auth.Principal) error
	// conflicts are why the handler may answer CONFLICT; empty if it never does, or if its annotation gives the reasons.
	conflicts []Conflict
	handle    handler
}

// newRoute builds one route. It panics if the access, the statement on rules or the handler is missing, which is a programming error.
func newRoute(method, path string, who Access, obeys Rules, handle handler, query ...string) Route {
	if who.kind == accessUnset || obeys.mode == rulesUnset || handle == nil || path == "" || method == "" {
		panic("httpapi: incomplete route " + method + " " + path)
	}
	if slices.Contains(query, filterParameter) { // which alternatives belong to
		query = append(slices.Clip(query), anyParameter)
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
func postRoute(path string, who Access, obeys Rules, handle handler, query ...string) []Route {
	r := newRoute(http.MethodPost, path, who, obeys, handle, query...)
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

// deleteRoute builds a DELETE route; a body is ignored.
func deleteRoute(path string, who Access, obeys Rules, handle handler, query ...string) []Route {
	return []Route{newRoute(http.MethodDelete, path, who, obeys, handle, query...)}
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

// abandonable makes rows whose statements may run long and serve one client only: they end in the database when the client leaves.
func abandonable(rows []Route) []Route {
	for i := range rows {
		rows[i].abandonable = true
	}
	return rows
}

// withConflict adds reasons for which the handlers of routes may answer CONFLICT.
func withConflict(rows []Route, reasons ...Conflict) []Route {
	for i := range rows {
		rows[i].conflicts = append(rows[i].conflicts, reasons...)
	}
	return rows
}

// readingQuery marks routes that run a query: they change nothing and end in the database when the client leaves. The parameters of the
// query are query parameters of a GET.
func readingQuery(rows []Route) []Route {
	for i := range rows {
		rows[i].readOnly = rows[i].Method == http.MethodPost
		rows[i].namedQuery = !rows[i].readOnly
		rows[i].query = []string{"format"}
	}
	return abandonable(rows)
}

// alsoNeedsRead marks routes of administrators whose answers depend on values of the graph: being an administrator is not the right to
// read them.
func alsoNeedsRead(rows ...Route) []Route {
	for i := range rows {
		rows[i].extraPermission = func(*http.Request) auth.Permission { return auth.Read }
	}
	return rows
}
