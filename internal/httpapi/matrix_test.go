package httpapi_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// subsets are all sixteen sets of the permissions for the graph, and those for queries alone.
func subsets() [][]auth.Permission {
	var sets [][]auth.Permission
	all := auth.GraphPermissions()
	for bits := range 1 << len(all) {
		set := []auth.Permission{}
		for i, p := range all {
			if bits>>i&1 == 1 {
				set = append(set, p)
			}
		}
		sets = append(sets, set)
	}
	return append(sets, []auth.Permission{auth.Query}, []auth.Permission{auth.Console})
}

// protectedRoutes are the routes that need a token, with logout last, since it revokes the token.
func protectedRoutes() []httpapi.Route {
	rows := slices.DeleteFunc(httpapi.Routes(), func(r httpapi.Route) bool { return r.Access.Public() })
	slices.SortStableFunc(rows, func(x, y httpapi.Route) int {
		return strings.Compare(boolText(x.Path == "/api/auth/logout"), boolText(y.Path == "/api/auth/logout"))
	})
	return rows
}

func boolText(b bool) string { return fmt.Sprint(b) }

// secret is a value that only users with the permission read may see.
const secret = "of somebody else"

// target has the entities of the matrix's requests: a node and an edge with a secret, and the edge's other end.
type target struct {
	node, edge, other string
	set               string // a change set that updates the node
	view              string // a saved view, shared with everyone
}

func (srv *testServer) target(t *testing.T) target {
	t.Helper()
	created := func(path, body string, headers ...string) string {
		r := srv.send(t, "root", http.MethodPost, path, body, headers...)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		return jsonAt(t, r.body, "data.id").(string)
	}
	one := target{
		node:  created("/api/nodes", `{"type":"Person","properties":{"secret":"`+secret+`"}}`),
		other: created("/api/nodes", `{"type":"Person","properties":{}}`),
	}
	one.edge = created(
		"/api/edges",
		fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q,"properties":{"secret":"`+secret+`"}}`, one.node, one.other),
		"X-Request-ID",
		"edge-of-"+one.node,
	)
	one.set = created("/api/changesets", fmt.Sprintf(
		`{"title":"T","operations":[{"op":"update_node","id":%q,"properties":{"secret":"of somebody else"}}]}`, one.node))
	r := srv.send(t, "root", http.MethodPost, savedQueries, `{"name":"words","cypher":"RETURN 1 AS one"}`)
	require.Contains(t, []int{http.StatusCreated, http.StatusConflict}, r.status, r.body)
	one.view = created("/api/views", `{"name":"V","page":"nodes","state":{},"everyone":true}`)
	return one
}

// request is a valid request of a route, for existing entities.
func (one target) request(r httpapi.Route) (path, body string, headers []string) {
	id := one.node
	switch {
	case strings.HasPrefix(r.Path, "/api/edges"):
		id = one.edge
	case strings.HasPrefix(r.Path, "/api/changesets"):
		id = one.set
	case strings.HasPrefix(r.Path, "/api/views"):
		id = one.view
	}
	path = strings.NewReplacer(
		":node_id",
		id,
		":id",
		id,
		":username",
		"root",
		":name",
		"words",
		":kind",
		"nodes",
		":type",
		"Person",
	).Replace(
		r.Path,
	)
	path += map[string]string{
		"/api/paths": "?source_id=" + one.node + "&target_id=" + one.other, "/api/search": "?q=somebody", "/api/changes": "?since=0",
		"/api/aggregate/nodes": "?group_by=secret", "/api/aggregate/edges": "?group_by=secret",
	}[r.Path]
	bodies := map[string]string{
		"POST /api/nodes":       `{"type":"Person","properties":{"n":1}}`,
		"POST /api/edges":       fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q}`, one.node, one.other),
		"POST /api/edges/among": fmt.Sprintf(`{"ids":[%q,%q]}`, one.node, one.other),
		"POST /api/match":       fmt.Sprintf(`{"match":[[{"as":"a","id":%q},{"as":"r"},{"as":"b"}]]}`, one.node),
		"POST /api/import": fmt.Sprintf(`{"kind":"node","type":"Person","id":%q,"properties":{"n":1}}`, one.node) + "\n" +
			`{"kind":"node","type":"Person","properties":{"n":1}}`,
		"POST /api/changesets":              `{"title":"T","operations":[{"op":"delete_node","id":"x"}]}`,
		"POST /api/changesets/:id/comments": `{"text":"x"}`,
		"PUT /api/changesets/:id":           `{"title":"U"}`,
		"PATCH /api/changesets/:id":         `{"title":"U"}`,
		"POST /api/auth/tokens":             `{"name":"T"}`,
		"POST /api/query":                   `{"cypher":"RETURN 1 AS one"}`,
		"POST /api/views":                   `{"name":"V","page":"nodes","state":{}}`,
		"PUT /api/views/:id":                `{"name":"V"}`,
		"PATCH /api/views/:id":              `{"name":"V"}`,
		"POST /api/undo":                    fmt.Sprintf(`{"request_id":"edge-of-%s","dry_run":true}`, one.node),
		"POST /api/batch": fmt.Sprintf(
			`{"operations":[{"op":"create_node","type":"Person","properties":{}},`+
				`{"op":"create_edge","type":"KNOWS","source_id":%q,"target_id":%q}]}`, one.node, one.other),
		"PUT /api/auth/password": `{"current_password":"wrong horse battery","new_password":"another horse battery"}`,
	}
	switch body = bodies[r.Method+" "+r.Path]; {
	case r.Path == "/api/import":
		headers = []string{"Content-Type", "application/x-ndjson"}
	case body == "" && (r.Method == http.MethodPut || r.Method == http.MethodPatch):
		body = `{"properties":{"n":1}}`
	case body == "" && r.Method == http.MethodPost:
		body = `{}`
	}
	return path, body, headers
}

// readingRoutes are the routes whose responses show what others have written; no other route may.
var readingRoutes = []string{
	"/api/nodes", "/api/nodes/:node_id", "/api/nodes/:node_id/edges", "/api/nodes/:node_id/neighbors", "/api/paths", "/api/search",
	"/api/edges", "/api/edges/:id", "/api/export",
	"/api/nodes/:node_id/history", "/api/edges/:id/history", "/api/changes",
	"/api/changesets", "/api/changesets/:id", "/api/changesets/:id/diff", "/api/aggregate/nodes", "/api/aggregate/edges",
}

// changeSetStatus is the status of a request that changes the matrix's change set, which is open, of another author, and needs edit.
func changeSetStatus(r httpapi.Route, set []auth.Permission) int {
	switch mayEdit := slices.Contains(set, auth.Edit); {
	case mayEdit && strings.HasSuffix(r.Path, "/apply"):
		return http.StatusConflict
	case mayEdit && (strings.HasSuffix(r.Path, "/approve") || strings.HasSuffix(r.Path, "/reject")):
		return http.StatusOK
	default:
		return http.StatusForbidden
	}
}

// requireRevealed checks a response against what a user, a service token or a personal token with a set of permissions may do and see.
func requireRevealed(t *testing.T, r httpapi.Route, p auth.Principal, got reply) {
	t.Helper()
	set := p.Permissions
	where := r.Method + " " + r.Path
	mayRead := slices.Contains(set, auth.Read)
	want := http.StatusOK
	switch {
	case !r.Allows(p):
		want = http.StatusForbidden
	case where == "POST /api/undo" && !slices.Contains(set, auth.Delete):
		want = http.StatusForbidden // it would delete an edge
	case where == "POST /api/batch" && !slices.Contains(set, auth.Create):
		want = http.StatusForbidden
	case where == "DELETE /api/auth/tokens/:id" && p.PersonalToken:
		want = http.StatusForbidden // it is not this token's own id
	case where == "DELETE /api/auth/tokens/:id":
		want = http.StatusNotFound
	case where == "POST /api/nodes", where == "POST /api/edges", where == "POST /api/changesets", where == "POST /api/changesets/:id/comments",
		where == "POST /api/views", where == "POST /api/auth/tokens":
		want = http.StatusCreated
	case r.Path == "/api/views/:id" && r.Method != http.MethodGet && r.Method != http.MethodHead:
		want = http.StatusForbidden // it belongs to somebody else
	case strings.HasPrefix(r.Path, "/api/changesets/") && r.Method != http.MethodGet && r.Method != http.MethodHead:
		want = changeSetStatus(r, set)
	case where == "PUT /api/auth/password":
		want = http.StatusUnauthorized
	}
	require.Equal(t, want, got.status, "%s: %s", where, got.body)
	writes := r.Method == http.MethodPut || r.Method == http.MethodPatch
	shows := want == http.StatusOK && mayRead &&
		(r.Method == http.MethodGet && slices.Contains(readingRoutes, r.Path) || writes && slices.Contains(readingRoutes, r.Path) ||
			slices.Contains([]string{"POST /api/edges/among", "POST /api/match"}, where) ||
			r.Method == http.MethodPost && strings.HasPrefix(r.Path, "/api/changesets/"))
	if !mayRead || r.Path != "/api/trash" { // the trash has captions of what requests before this one deleted
		require.Equal(t, shows, strings.Contains(got.body, secret), "%s: %s", where, got.body)
	}
	if writes && want == http.StatusOK {
		require.Equal(t, mayRead, got.header.Get("ETag") != "", where)
		require.Equal(t, mayRead, strings.Contains(got.body, `"properties"`), "%s: %s", where, got.body)
	}
	if r.Path == "/api/import" && want == http.StatusOK {
		require.Contains(t, got.body, `"created":1,"updated":0,"skipped":0,"failed":1`, "one id exists")
	}
}

// TestPermissionMatrix sends valid requests for existing entities to every protected route, with every set of permissions and every
// state of a token: so it shows what each permission allows and readingRoutes, and what is rejected without it.
func TestPermissionMatrix(t *testing.T) {
	srv := newTestServer(t, nil)
	ctx := context.Background()
	past := func() time.Time { return time.Now().Add(-time.Minute) }
	brief := srv.newUsersAt(t, past, time.Second, slog.New(slog.DiscardHandler)) // its tokens expired a minute ago
	name := func(i int, suffix string) string { return fmt.Sprintf("user%d%s", i, suffix) }
	expired, disabled := map[int]string{}, map[int]string{}
	for i, set := range subsets() {
		srv.user(t, name(i, ""), set...)
		srv.user(t, name(i, "-off"), set...)
		token, err := brief.Login(ctx, name(i, ""), password, "127.0.0.1", nil)
		require.NoError(t, err)
		expired[i] = token.AccessToken
		disabled[i] = srv.token(t, name(i, "-off"))
		off := true
		_, err = srv.users.UpdateUser(ctx, name(i, "-off"), auth.UserChange{Disabled: &off})
		require.NoError(t, err)
	}
	one := srv.target(t)
	srv.db.Exec(t, "CREATE FULLTEXT INDEX words FOR (n:Person) ON EACH [n.secret]", nil)
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	refreshTypeCatalog(t, srv)
	asked, personal := 0, 0
	ask := func(t *testing.T, r httpapi.Route, token string) reply {
		asked++
		path, body, headers := one.request(r)
		return srv.sendToken(t, token, r.Method, path, body, headers...)
	}
	refused := func(t *testing.T, state, token, code string) {
		for _, r := range protectedRoutes() {
			got := ask(t, r, token)
			require.Equal(t, http.StatusUnauthorized, got.status, "%s: %s %s", state, r.Method, r.Path)
			require.Contains(t, got.header.Get("WWW-Authenticate"), "Bearer")
			require.Empty(t, got.header.Get("RateLimit"), "no count before the token is known to be good")
			if r.Method != http.MethodHead {
				require.Equal(t, code, jsonAt(t, got.body, "error.code"), "%s: %s %s", state, r.Method, r.Path)
			}
		}
	}
	for i, set := range subsets() {
		t.Run(fmt.Sprint(set), func(t *testing.T) {
			token := srv.token(t, name(i, ""))
			service := srv.serviceToken(t, name(i, "-service"), set...)
			type credential struct {
				token string
				auth.Principal
			}
			credentials := []credential{
				{service.Secret, auth.Principal{Permissions: set, ServiceToken: true}},
				{token, auth.Principal{Permissions: set}},
			}
			if i%5 == 0 { // none, all, and two sets between
				own, _ := srv.personalToken(t, name(i, ""), `{"name":"matrix"}`)
				credentials = slices.Insert(credentials, 0, credential{own, auth.Principal{Permissions: set, PersonalToken: true}})
				personal++
			}
			for _, of := range credentials {
				for _, r := range protectedRoutes() {
					got := ask(t, r, of.token)
					require.NotEmpty(t, got.header.Get("RateLimit"), "%s %s", r.Method, r.Path)
					requireRevealed(t, r, of.Principal, got)
					if (r.Method == http.MethodDelete || strings.HasSuffix(r.Path, "/reject")) && got.status == http.StatusOK {
						one = srv.target(t)
					}
				}
				one = srv.target(t) // its change set is approved
			}
			require.NoError(t, srv.users.DeleteServiceToken(ctx, service.ID))
			before := srv.graphSize(t)
			refused(t, "revoked", token, "TOKEN_REVOKED") // the matrix ended with logging out
			head, _, _ := strings.Cut(token, ".")
			refused(t, "forged", head+".e30."+strings.Repeat("A", 43), "INVALID_TOKEN")
			refused(t, "disabled", disabled[i], "TOKEN_REVOKED")
			refused(t, "deleted service token", service.Secret, "TOKEN_REVOKED")
			require.Equal(t, before, srv.graphSize(t), "what is refused changes nothing")
		})
	}
	for i, set := range subsets() {
		t.Run("expired "+fmt.Sprint(set), func(t *testing.T) { refused(t, "expired", expired[i], "TOKEN_EXPIRED") })
	}
	require.Equal(t, (len(subsets())*7+personal)*len(protectedRoutes()), asked)
	srv.requireOwnWords(t)
}

// requireOwnWords requires that the guard of queries knows the properties of internal data: it warns of none that the graph lacks.
func (srv *testServer) requireOwnWords(t *testing.T) {
	t.Helper()
	rows := srv.db.Query(t, `MATCH (n) WHERE any(l IN labels(n) WHERE l STARTS WITH '_Graphrest')
		UNWIND keys(n) AS key WITH DISTINCT key WHERE NOT key STARTS WITH '_graphrest' RETURN collect(key) AS keys`, nil)
	known := cypher.OwnWords()
	unknown := slices.DeleteFunc(rows[0]["keys"].([]any), func(key any) bool { return slices.Contains(known, key.(string)) })
	require.Empty(t, unknown, "the list is in package cypher")
}

// graphSize counts the entities and properties of the graph.
func (srv *testServer) graphSize(t *testing.T) int64 {
	t.Helper()
	return srv.db.Count(t, `MATCH (n:Person) WITH sum(1 + size(keys(n))) AS nodes
		MATCH ()-[e:KNOWS]->() WITH nodes, sum(1 + size(keys(e))) AS edges RETURN nodes + edges`, nil)
}

// TestAdministratorWithoutPermissions: the administrator role and the permissions are independent.
func TestAdministratorWithoutPermissions(t *testing.T) {
	srv := newTestServer(t, nil)
	_, err := srv.users.CreateUser(context.Background(), auth.NewUser{Username: "boss", Password: password, Admin: true})
	require.NoError(t, err)
	require.Equal(t, 200, srv.send(t, "boss", "GET", "/api/admin/users", "").status)
	require.Equal(t, 403, srv.send(t, "boss", "GET", "/api/nodes", "").status)
	require.Equal(t, 200, srv.send(t, "boss", "GET", "/api/auth/me", "").status)
}

// TestRateLimitOverHTTP: the limit applies per user, for all addresses and tokens together.
func TestRateLimitOverHTTP(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.RateLimit = 5 })
	srv.user(t, "ann", auth.Read)
	srv.user(t, "bob", auth.Read)
	for range 3 {
		require.Equal(t, 200, srv.send(t, "ann", "GET", "/api/auth/me", "").status)
	}
	srv.forgetToken("ann") // a new login is the same user
	require.Equal(t, 404, srv.send(t, "ann", "GET", "/api/nodes/nothing", "", "X-Forwarded-For", "10.1.2.3").status)
	require.Equal(t, 403, srv.send(t, "ann", "POST", "/api/nodes", "{}", "X-Real-IP", "10.1.2.4").status)
	r := srv.send(t, "ann", "POST", "/api/nodes", "x", "Content-Type", "text/plain")
	require.Equal(t, http.StatusTooManyRequests, r.status, "429 comes before 403 and 415")
	require.Equal(t, "RATE_LIMITED", jsonAt(t, r.body, "error.code"))
	require.Regexp(t, `^3(600|59\d)$`, r.header.Get("Retry-After"))
	require.Equal(t, r.header.Get("Retry-After"), r.header.Get("X-RateLimit-Reset"))
	require.Regexp(t, `^"default";r=0;t=3(600|59\d)$`, r.header.Get("RateLimit"))
	require.Equal(t, 404, srv.send(t, "ann", "GET", "/api/nowhere", "").status, "unknown paths come before the limit")
	require.Equal(t, 200, srv.send(t, "bob", "GET", "/api/auth/me", "").status)
}

// TestLoginsCountAgainstTheRateLimit: a successful login counts although it is public; a failed one does not.
func TestLoginsCountAgainstTheRateLimit(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.RateLimit = 4 })
	srv.user(t, "ann", auth.Read)
	srv.user(t, "bob", auth.Read)
	login := func(name, word string) reply {
		return srv.send(t, "", "POST", "/api/auth/login", fmt.Sprintf(`{"username":%q,"password":%q}`, name, word))
	}
	for range 4 {
		require.Equal(t, http.StatusUnauthorized, login("ann", "wrong horse battery").status)
	}
	for range 3 {
		require.Equal(t, http.StatusOK, login("ann", password).status)
	}
	require.Equal(t, 200, srv.send(t, "ann", "GET", "/api/auth/me", "").status)
	r := login("ann", password)
	require.Equal(t, http.StatusTooManyRequests, r.status, r.body)
	require.Contains(t, r.body, "The limit of 4 requests in 1h0m0s is used up")
	require.NotContains(t, r.body, "access_token")
	require.Regexp(t, `^3(600|59\d)$`, r.header.Get("Retry-After"))
	require.Equal(t, http.StatusTooManyRequests, srv.send(t, "ann", "GET", "/api/auth/me", "").status)
	require.Equal(t, http.StatusOK, login("bob", password).status)
	srv.auditBuffer.Flush(context.Background())
	require.Len(t, srv.audit(t, "action=login&outcome=refused&user=ann"), 2, "wrong passwords, and the limit")
}

// TestForgedForwardingDoesNotReachTheLog: without trusted proxies the address is the connection's.
func TestForgedForwardingDoesNotReachTheLog(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.send(t, "root", "GET", "/api/auth/me", "", "X-Forwarded-For", "203.0.113.9", "X-Real-IP", "203.0.113.9")
	require.NotContains(t, srv.log.String(), "203.0.113.9")
	require.Contains(t, srv.log.String(), `"user":"root"`)
	require.NotContains(t, srv.log.String(), srv.token(t, "root"))
	require.NotContains(t, srv.log.String(), password)
}
