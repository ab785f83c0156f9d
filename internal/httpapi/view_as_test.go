package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	answers "graphrest/internal/answer"
	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/pattern"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// admin creates an administrator with permissions for everything.
func (srv *testServer) admin(t *testing.T, name string, permissions ...auth.Permission) {
	t.Helper()
	_, err := srv.users.CreateUser(t.Context(), auth.NewUser{Username: name, Password: password, Admin: true, Permissions: permissions})
	require.NoError(t, err)
}

// changing are the parts of an answer that differ between two equal requests: times, and cursors of the feed, which are encrypted.
var changing = regexp.MustCompile(`"timestamp":"[^"]*"|"as_of":"[^"]*"|"next_cursor":"[^"]*"|"elapsed_ms":[0-9.e+-]+`)

// requireSameView requires that a request viewed as a user is answered as the user's own.
func (srv *testServer) requireSameView(t *testing.T, user, method, target, body string, headers ...string) {
	t.Helper()
	own := srv.send(t, user, method, target, body, headers...)
	seen := srv.send(t, "root", method, target, body, append(headers, httpapi.ViewAsHeader, "user:"+user)...)
	require.Equal(t, own.status, seen.status, "%s %s: %s", method, target, seen.body)
	require.Equal(t, changing.ReplaceAllString(own.body, ""), changing.ReplaceAllString(seen.body, ""), "%s %s", method, target)
	for _, name := range []string{"ETag", "Link", "Content-Type"} {
		require.Equal(t, own.header.Get(name), seen.header.Get(name), "%s %s: %s", method, target, name)
	}
}

// TestViewAsAnswersAsToTheUser: every read of the graph, viewed as users with roles, with a permission and with nothing, is the user's own
// answer: content, codes, ETags and conditional requests.
func TestViewAsAnswersAsToTheUser(t *testing.T) {
	srv := newTestServer(t, nil)
	withRole(t, srv, "bob", `[{"kind":"node","type":"Person","actions":["read","edit"],"where":{"team":{"eq":"a"}},"hidden":["secret"]},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	withRole(t, srv, "owner", `[{"kind":"node","type":"*","actions":["read"],"where":{"owner":{"eq":{"$user":"username"}}}}]`)
	_, err := srv.users.CreateUser(t.Context(), auth.NewUser{Username: "Jörg: Ünal", Password: password, Roles: []string{"role of owner"}})
	require.NoError(t, err)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "nobody")
	one := srv.target(t)
	srv.send(t, "root", http.MethodPut, "/api/nodes/"+one.node, `{"properties":{"team":"a","owner":"Jörg: Ünal"}}`)
	srv.db.Exec(t, "CREATE FULLTEXT INDEX words FOR (n:Person) ON EACH [n.secret]", nil)
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	refreshTypeCatalog(t, srv)
	set := jsonAt(t, srv.send(t, "bob", http.MethodPost, "/api/changesets", fmt.Sprintf(
		`{"title":"B","operations":[{"op":"update_node","id":%q,"properties":{"team":"a"}}]}`, one.node)).body, "data.id").(string)
	compared := 0
	for _, user := range []string{"bob", "reader", "nobody"} {
		for _, r := range httpapi.Routes() {
			if !r.TakesViewAs() {
				continue
			}
			path, body, _ := one.request(r)
			srv.requireSameView(t, user, r.Method, path, body)
			compared++
		}
		for _, target := range []string{
			"/api/changesets/" + set, "/api/nodes?count=exact&type=Person", "/api/nodes?sort=-secret", "/api/nodes?filter[secret]=" + secret[:2],
			"/api/nodes/" + one.other, "/api/edges?ends=captions&node_id=" + one.node, "/api/nodes/nothing", "/api/nodes?limit=0",
		} {
			srv.requireSameView(t, user, http.MethodGet, target, "")
		}
	}
	require.Greater(t, compared, 100)
	srv.requireSameView(t, "bob", http.MethodGet, "/api/nodes/"+one.node, "", "If-None-Match",
		srv.send(t, "bob", http.MethodGet, "/api/nodes/"+one.node, "").header.Get("ETag"))
	seen := srv.send(t, "root", http.MethodGet, "/api/nodes", "", httpapi.ViewAsHeader, "user:J%C3%B6rg%3A%20%C3%9Cnal")
	require.Equal(t, http.StatusOK, seen.status, seen.body)
	require.Contains(t, seen.body, one.node)
	require.NotContains(t, seen.body, one.other)
}

// TestViewAsOfARole: a role by itself shows what its grants show; conditions on the user are not met.
func TestViewAsOfARole(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", `[{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":"a"}},"hidden":["salary"]},
		{"kind":"node","type":"Person","actions":["read"],"where":{"owner":{"ne":{"$user":"username"}}}},
		{"kind":"node","type":"Person","actions":["read"],"where":{"owner":{"ne":{"$user":"attributes.x"}}}}]`)
	header := []string{httpapi.ViewAsHeader, "role:role%20of%20bob"}
	runSteps(t, srv, append(people(),
		step{name: "an owner", user: "ann", request: "PUT /api/nodes/{hidden}", body: `{"properties":{"owner":"x"}}`, wantStatus: 200},
		step{
			name: "list", user: "root", request: "GET /api/nodes", header: header, wantStatus: 200,
			wantBody: []string{"{own}"}, notInBody: []string{"{other}", "{hidden}", "salary"},
		},
		step{name: "hidden", user: "root", request: "GET /api/nodes/{hidden}", header: header, wantStatus: 404},
		step{name: "no grant", user: "root", request: "GET /api/edges", header: header, wantStatus: 403},
		step{
			name: "as the user", user: "root", request: "GET /api/nodes/{hidden}", header: []string{httpapi.ViewAsHeader, "user:bob"},
			wantStatus: 200,
		},
		step{
			name: "it is in the audit", user: "root", request: "GET /api/admin/audit?action=view&kind=role", wantStatus: 200,
			wantBody: []string{`"user":"root"`, `"entity":"role of bob"`, `"count":1`, `"outcome":"done"`},
		},
	))
}

// TestViewAsIsForAdministratorsWhoMayRead tries the header on every route as everybody: it never lets anybody see more, change anything, or
// act for somebody else.
func TestViewAsIsForAdministratorsWhoMayRead(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "keeper", auth.AllPermissions()...)
	srv.admin(t, "operator", auth.Create, auth.Edit, auth.Delete)
	srv.admin(t, "auditor", auth.Read)
	srv.withRole(t, "granted", `[{"kind":"node","type":"*","actions":["read"]},{"kind":"edge","type":"*","actions":["read"]}]`)
	yes := true
	_, err := srv.users.UpdateUser(t.Context(), "granted", auth.UserChange{Admin: &yes})
	require.NoError(t, err)
	service := srv.serviceToken(t, "program", auth.AllPermissions()...)
	one := srv.target(t)
	refreshTypeCatalog(t, srv)
	before := srv.graphSize(t)
	for _, r := range protectedRoutes() {
		path, body, headers := one.request(r)
		headers = append(headers, httpapi.ViewAsHeader, "user:root")
		where := r.Method + " " + path
		for name, token := range map[string]string{
			"keeper": srv.token(t, "keeper"), "operator": srv.token(t, "operator"), "granted": srv.token(t, "granted"), "service": service.Secret,
		} {
			got := srv.sendToken(t, token, r.Method, path, body, headers...)
			want := http.StatusBadRequest
			if r.TakesViewAs() {
				want = http.StatusForbidden
			}
			require.Equal(t, want, got.status, "%s as %s: %s", where, name, got.body)
			require.NotEmpty(t, got.header.Get("RateLimit"), where)
			require.NotContains(t, got.body, secret)
		}
		if r.TakesViewAs() {
			continue
		}
		got := srv.send(t, "auditor", r.Method, path, body, headers...)
		require.Equal(t, http.StatusBadRequest, got.status, "%s: %s", where, got.body)
		if r.Method != http.MethodHead {
			require.Contains(t, got.body, `"field":"Graphrest-View-As"`, where)
		}
	}
	require.Equal(t, before, srv.graphSize(t))
	login := `{"username":"root","password":"` + password + `"}`
	runSteps(t, srv, []step{
		{name: "a login", request: "POST /api/auth/login", body: login, header: []string{httpapi.ViewAsHeader, "user:root"}, wantStatus: 400},
		{name: "without a token", request: "GET /api/nodes", header: []string{httpapi.ViewAsHeader, "user:root"}, wantStatus: 401},
		{name: "still logged in", user: "auditor", request: "GET /api/auth/me", wantStatus: 200, wantBody: []string{`"auditor"`}},
	})
	for _, value := range []string{
		"", "root", "user:", "user", "user:nobody", "role:nothing", "user:%zz", "User:root", "token:program", "user:%00", "user:token:program",
		"role:root", "user:" + strings.Repeat("x", 2000), "user:%ff", "user:root,user:root",
	} {
		got := srv.send(t, "root", http.MethodGet, "/api/nodes", "", httpapi.ViewAsHeader, value)
		require.Equal(t, http.StatusBadRequest, got.status, "%q: %s", value, got.body)
		require.Contains(t, got.body, `"field":"Graphrest-View-As"`)
	}
	_, err = srv.users.UpdateUser(t.Context(), "granted", auth.UserChange{Disabled: &yes})
	require.NoError(t, err)
	got := srv.send(t, "root", http.MethodGet, "/api/nodes", "", httpapi.ViewAsHeader, "user:granted")
	require.Equal(t, http.StatusBadRequest, got.status, got.body)
	require.Contains(t, got.body, "disabled")
	twice, err := http.NewRequest(http.MethodGet, srv.url+"/api/nodes", http.NoBody)
	require.NoError(t, err)
	twice.Header = http.Header{"Authorization": {"Bearer " + srv.token(t, "root")}, httpapi.ViewAsHeader: {"user:keeper", "user:root"}}
	res, err := http.DefaultClient.Do(twice)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode)
}

// limitedQuestions records whose places the questions take.
type limitedQuestions struct {
	pattern.Matcher
	users []string
}

func (l *limitedQuestions) Match(ctx context.Context, q *pattern.Question) (*answers.Answer, error) {
	l.users = append(l.users, q.UserID)
	return l.Matcher.Match(ctx, q)
}

// TestViewAsCountsAndRecordsForTheAdministrator: the rate limit is the administrator's, the access log names both, and the audit has one
// entry for each administrator and user in each interval. What the user lacks is no refusal of the user.
func TestViewAsCountsAndRecordsForTheAdministrator(t *testing.T) {
	var asked limitedQuestions
	srv := newTestServer(t, func(o *httpapi.Options) { asked.Matcher, o.Matcher = o.Matcher, &asked })
	var passed atomic.Int64
	httpapi.SetViewAuditClock(srv.api, func() time.Time { return time.Unix(passed.Load(), 0) })
	srv.admin(t, "second", auth.Read)
	withRole(t, srv, "bob", `[{"kind":"node","type":"*","actions":["read"]}]`)
	withRole(t, srv, "cid", `[{"kind":"node","type":"*","actions":["read"]}]`)
	limit := int64(1)
	_, err := srv.users.UpdateUser(t.Context(), "bob", auth.UserChange{RateLimit: ptr(&limit)})
	require.NoError(t, err)
	remaining := ""
	view := func(admin, viewed, path string, want int) {
		t.Helper()
		got := srv.send(t, admin, http.MethodGet, path, "", httpapi.ViewAsHeader, viewed)
		require.Equal(t, want, got.status, got.body)
		require.NotEqual(t, remaining, got.header.Get("X-RateLimit-Remaining"))
		remaining = got.header.Get("X-RateLimit-Remaining")
		require.Equal(t, "1000000", got.header.Get("X-RateLimit-Limit"))
	}
	for range 3 {
		view("root", "user:bob", "/api/nodes", http.StatusOK)
		view("root", "user:bob", "/api/edges", http.StatusForbidden)
	}
	for _, viewed := range [][]string{nil, {httpapi.ViewAsHeader, "user:bob"}} {
		r := srv.send(t, "root", http.MethodPost, "/api/match", `{"match":[[{"as":"a","type":"Person"}]]}`, viewed...)
		require.Equal(t, http.StatusOK, r.status, r.body)
	}
	require.Equal(t, asked.users[0], asked.users[1], "the place is the administrator's")
	require.Equal(t, http.StatusOK, srv.send(t, "bob", http.MethodGet, "/api/nodes", "").status, "bob's one request is left")
	view("root", "user:cid", "/api/nodes", http.StatusOK)
	view("second", "user:bob", "/api/nodes", http.StatusOK)
	require.Len(t, srv.audit(t, "action=view"), 3)
	passed.Add(15*60 - 1)
	view("root", "user:bob", "/api/nodes", http.StatusOK)
	require.Len(t, srv.audit(t, "action=view"), 3)
	passed.Add(1)
	view("root", "user:bob", "/api/nodes", http.StatusOK)
	entries := srv.audit(t, "action=view&user=root&entity=bob")
	require.Len(t, entries, 2)
	require.Contains(t, srv.log.String(), `"user":"root","view_as":"bob"`)
	srv.auditBuffer.Flush(t.Context())
	require.Empty(t, srv.audit(t, "outcome=refused"))
}

func ptr[T any](v T) *T { return &v }

// TestViewAsEndsWithEitherRight: an export that is viewed as a user ends when the user's rights change, and when the administrator's end.
func TestViewAsEndsWithEitherRight(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	httpapi.SetStreamIdleTimeout(srv.api, time.Hour)
	srv.db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:Film {n: i, text: $text})", map[string]any{"text": strings.Repeat("some text ", 80)})
	const grants = `[{"kind":"node","type":"Film","actions":["read"]},{"kind":"edge","type":"*","actions":["read"]}]`
	yes, no := true, false
	update := func(who string, c auth.UserChange) func(string) error {
		return func(name string) error {
			_, err := srv.users.UpdateUser(context.Background(), who+name, c)
			return err
		}
	}
	for name, end := range map[string]struct {
		removeRight func(name string) error
		code        string
	}{
		"disabled": {update("bob of ", auth.UserChange{Disabled: &yes}), "PERMISSION_DENIED"},
		"roles":    {update("bob of ", auth.UserChange{Roles: &[]string{}}), "PERMISSION_DENIED"},
		"deleted":  {func(name string) error { return srv.users.DeleteUser(context.Background(), "bob of "+name) }, "PERMISSION_DENIED"},
		"grants": {func(name string) error {
			_, err := srv.users.UpdateRole(context.Background(), "role of bob of "+name, auth.RoleChange{Grants: &[]rules.Grant{}})
			return err
		}, "PERMISSION_DENIED"},
		"admin":          {update("admin of ", auth.UserChange{Admin: &no}), "PERMISSION_DENIED"},
		"read":           {update("admin of ", auth.UserChange{Permissions: &[]auth.Permission{auth.Create}}), "PERMISSION_DENIED"},
		"admin disabled": {update("admin of ", auth.UserChange{Disabled: &yes}), "TOKEN_REVOKED"},
	} {
		t.Run(name, func(t *testing.T) {
			withRole(t, srv, "bob of "+name, grants)
			srv.admin(t, "admin of "+name, auth.Read)
			lines := srv.exports(t, srv.url, "admin of "+name, httpapi.ViewAsHeader, "user:bob of "+name)
			for range 10 {
				_, err := lines.ReadString('\n')
				require.NoError(t, err)
			}
			require.NoError(t, end.removeRight(name))
			rest, err := io.ReadAll(lines)
			require.Less(t, bytes.Count(rest, []byte("\n")), 30000, "not all was sent")
			if err == nil { // otherwise the stream was cut, because it waited for this reader
				last := rest[bytes.LastIndexByte(bytes.TrimSpace(rest), '\n')+1:]
				require.Contains(t, string(last), `{"kind":"error","error":{"code":"`+end.code+`"`)
			}
			logged := fmt.Sprintf(`"user":"admin of %[1]s","view_as":"bob of %[1]s","code":%[2]q`, name, end.code)
			require.Eventually(t, func() bool { return strings.Contains(srv.log.String(), logged) }, time.Minute, 5*time.Millisecond, logged)
		})
	}
}
