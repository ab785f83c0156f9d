package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

func TestAuditConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	const login = `{"username":"Ann","password":"` + password + `"}`
	id := []string{"X-Request-ID", "the-request"}
	runSteps(t, srv, slices.Concat(
		deniedCases("GET /api/admin/audit", "", "administrators", "ann"),
		[]step{
			{name: "log in", request: "POST /api/auth/login", body: login, wantStatus: 200, header: []string{"X-Request-ID", "the-login"}},
			{name: "is in it", user: "root", request: "GET /api/admin/audit?request_id=the-login", wantStatus: 200, wantBody: []string{
				`"user":"ann"`, `"action":"login","kind":"session","entity":"`,
				`"outcome":"done","code":null,"count":1,"request_id":"the-login","gateway_request_id":"`, `","address":"127.0.0.1"`, `"has_more":false`,
			}},
			{
				name: "create", user: "ann", request: "POST /api/nodes", body: `{"type":"Person","properties":{"name":"a value"}}`, header: id,
				wantStatus: 201, save: "node=data.id",
			},
			{
				name: "update", user: "ann", request: "PUT /api/nodes/{node}", body: `{"properties":{"name":null,"born":1960}}`, header: id,
				wantStatus: 200,
			},
			{name: "delete", user: "ann", request: "DELETE /api/nodes/{node}", header: id, wantStatus: 200},
			{name: "the life of the node", user: "root", request: "GET /api/admin/audit?entity={node}", wantStatus: 200, wantBody: []string{
				`"action":"delete","kind":"node","entity":"{node}","name":"Person","fields":[]`,
				`"action":"update","kind":"node","entity":"{node}","name":"Person","fields":["born","name"]`,
				`"action":"create"`, `"user":"ann"`,
			}, notInBody: []string{"a value", "1960"}},
			{
				name: "a page", user: "root", request: "GET /api/admin/audit?entity={node}&limit=2", wantStatus: 200,
				wantBody: []string{`"delete"`, `"update"`, `"has_more":true`}, notInBody: []string{`"create"`},
				wantHeaders: []string{"Link", `rel="next"`}, save: "cursor=meta.page.next_cursor",
			},
			{
				name: "the next page", user: "root", request: "GET /api/admin/audit?entity={node}&limit=2&cursor={cursor}", wantStatus: 200,
				wantBody: []string{`"create"`, `"has_more":false`}, notInBody: []string{`"delete"`}, wantHeaders: []string{"Link", ""},
			},
			{
				name: "a cursor of another query", user: "root", request: "GET /api/admin/audit?user=ann&cursor={cursor}", wantStatus: 400,
				wantBody: []string{`"cursor"`},
			},
			{
				name: "create a user", user: "root", request: "POST /api/admin/users", body: `{"username":"bob","password":"` + password + `"}`,
				wantStatus: 201,
			},
			{
				name: "change the user", user: "root", request: "PUT /api/admin/users/bob",
				body: `{"permissions":["read"],"password":"another horse battery"}`, wantStatus: 200,
			},
			{name: "delete the user", user: "root", request: "DELETE /api/admin/users/bob", wantStatus: 200},
			{name: "the life of the user", user: "root", request: "GET /api/admin/audit?entity=bob&user=root", wantStatus: 200, wantBody: []string{
				`"action":"delete","kind":"user"`, `"name":"bob","fields":["password","permissions"]`, `"action":"create","kind":"user"`,
			}, notInBody: []string{"horse"}},
			{
				name: "declare a type", user: "root", request: "PUT /api/admin/types/nodes/Film", body: `{"level":"none","schema":{}}`, wantStatus: 201,
			},
			{
				name: "declare it again", user: "root", request: "PUT /api/admin/types/nodes/Film", body: `{"level":"strict","schema":{}}`,
				wantStatus: 200,
			},
			{name: "remove the declaration", user: "root", request: "DELETE /api/admin/types/nodes/Film", wantStatus: 200},
			{
				name: "the life of the declaration", user: "root", request: "GET /api/admin/audit?entity=nodes/Film", wantStatus: 200,
				wantBody: []string{
					`"user":"root"`, `"action":"create","kind":"type","entity":"nodes/Film","name":"Film"`, `"action":"update","kind":"type"`,
					`"action":"delete","kind":"type"`,
				},
			},
			{
				name: "make a search index", user: "root", request: "POST /api/admin/search-indexes",
				body: `{"name":"films","kind":"node","types":["Film"],"properties":["title"]}`, wantStatus: 201,
			},
			{name: "remove the index", user: "root", request: "DELETE /api/admin/search-indexes/films", wantStatus: 200},
			{
				name: "the life of the index", user: "root", request: "GET /api/admin/audit?kind=search_index&user=root", wantStatus: 200,
				wantBody: []string{
					`"action":"create","kind":"search_index","entity":"films","name":"films"`, `"action":"delete","kind":"search_index"`,
				},
			},
			{name: "log out", user: "ann", request: "POST /api/auth/logout", wantStatus: 200},
			{
				name: "is in it as well", user: "root", request: "GET /api/admin/audit?action=logout", wantStatus: 200,
				wantBody: []string{`"user":"ann"`, `"kind":"session"`},
			},
			{name: "HEAD", user: "root", request: "HEAD /api/admin/audit", wantStatus: 200},
		},
	))
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	runSteps(t, srv, []step{
		{name: "the future", user: "root", request: "GET /api/admin/audit?since=" + tomorrow, wantStatus: 200, wantBody: []string{`"data":[]`}},
		{
			name: "the past", user: "root", request: "GET /api/admin/audit?until=2020-01-01T00:00:00Z", wantStatus: 200,
			wantBody: []string{`"data":[]`, `"has_more":false`},
		},
		{
			name: "every problem", user: "root",
			request: "GET /api/admin/audit?action=fly&kind=x&outcome=y&since=today&until=2026-11-21&user=&offset=3&limit=0&who=ann", wantStatus: 400,
			wantBody: []string{`"action"`, `"kind"`, `"outcome"`, `"since"`, `"until"`, `"user"`, `"offset"`, `"limit"`, `"who"`},
		},
		{
			name: "times in the wrong order", user: "root", request: "GET /api/admin/audit?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
			wantStatus: 400, wantBody: []string{`"until"`},
		},
		{name: "hidden from the graph", user: "root", request: "GET /api/nodes", wantStatus: 200, wantBody: []string{`"data":[]`}},
	})
}

type auditEntry struct {
	User, Entity, Code, Address *string
	Action, Kind, Outcome       string
	Count                       int64
}

func (srv *testServer) audit(t *testing.T, query string) []auditEntry {
	t.Helper()
	r := srv.send(t, "root", "GET", "/api/admin/audit?"+query, "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	var answer struct{ Data []auditEntry }
	require.NoError(t, json.Unmarshal([]byte(r.body), &answer))
	return answer.Data
}

func textOf(p *string) string {
	if p == nil {
		return "null"
	}
	return *p
}

// Rejected requests are grouped by user, address and reason, and counted: an outsider who tries repeatedly causes one entry.
func TestRejectedRequestsAreAudited(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.TrustedProxies = []string{"127.0.0.1"} })
	srv.user(t, "ann", auth.Read)
	srv.send(t, "", "POST", "/api/auth/login", `{"username":"ann","password":"wrong horse battery"}`, "X-Forwarded-For", "192.0.2.1")
	srv.send(t, "", "POST", "/api/auth/login", `{"username":"secret typed here","password":"wrong horse battery"}`, "X-Forwarded-For",
		"192.0.2.2")
	for range 300 {
		require.Equal(t, http.StatusUnauthorized, srv.sendToken(t, "a.b.c", "GET", "/api/nodes", "", "X-Forwarded-For", "192.0.2.3").status)
	}
	srv.send(t, "ann", "DELETE", "/api/nodes/1", "")
	srv.send(t, "ann", "DELETE", "/api/nodes/2", "")
	require.Equal(t, http.StatusOK, srv.send(t, "ann", "POST", "/api/auth/logout", "").status)
	srv.send(t, "ann", "GET", "/api/nodes", "") // the token is revoked
	srv.send(t, "", "GET", "/api/nodes", "")    // a request without a token is not recorded
	srv.user(t, "bob")
	for range 3 {
		srv.send(t, "bob", "PUT", "/api/auth/password", `{"current_password":"wrong horse battery","new_password":"another horse battery"}`)
	}
	srv.auditBuffer.Flush(context.Background())

	found := map[string]int64{}
	for _, e := range srv.audit(t, "outcome=refused") {
		entity := textOf(e.Entity)
		if e.Kind == "user" {
			entity = "BOB" // its own id
		}
		found[textOf(e.User)+" "+e.Action+" "+entity+" "+textOf(e.Code)+" "+textOf(e.Address)] = e.Count
	}
	require.Equal(t, map[string]int64{
		"ann login null INVALID_CREDENTIALS 192.0.2.1":                        1,
		"null login null INVALID_CREDENTIALS 192.0.2.2":                       1,
		"bob update BOB INVALID_CREDENTIALS 127.0.0.1":                        3,
		"null request GET /api/nodes INVALID_TOKEN 192.0.2.3":                 300,
		"ann request DELETE /api/nodes/{node_id} PERMISSION_DENIED 127.0.0.1": 2,
		"ann request GET /api/nodes TOKEN_REVOKED 127.0.0.1":                  1,
	}, found)
	require.NotContains(t, srv.send(t, "root", "GET", "/api/admin/audit", "").body, "secret typed here")
}

// A forwarded address is used only if it comes from a trusted proxy.
func TestAuditIgnoresForgedClientAddresses(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`, "X-Forwarded-For", "192.0.2.1")
	found := srv.audit(t, "action=create&kind=node")
	require.Len(t, found, 1)
	require.Equal(t, "127.0.0.1", *found[0].Address)
}

// A login, or a change of users, whose audit entry cannot be written fails.
func TestWritesFailWithoutTheirAuditEntry(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.token(t, "root")
	srv.user(t, "ann")
	// A constraint that every further entry violates.
	srv.db.Exec(t, "MATCH (e:_GraphrestAudit) DELETE e", nil)
	srv.db.Exec(t, "CREATE (:_GraphrestAudit {at: 1, outcome: 'done'})", nil)
	srv.db.Exec(t, "CREATE CONSTRAINT no_more FOR (e:_GraphrestAudit) REQUIRE e.outcome IS UNIQUE", nil)
	runSteps(t, srv, []step{
		{
			name: "login", request: "POST /api/auth/login", body: `{"username":"ann","password":"` + password + `"}`, wantStatus: 503,
			notInBody: []string{"access_token"},
		},
		{
			name: "create", user: "root", request: "POST /api/admin/users", body: `{"username":"bob","password":"` + password + `"}`,
			wantStatus: 503,
		},
		{name: "delete", user: "root", request: "DELETE /api/admin/users/ann", wantStatus: 503},
		{name: "log out", user: "root", request: "POST /api/auth/logout", wantStatus: 503},
		{
			name: "nothing has changed", user: "root", request: "GET /api/admin/users", wantStatus: 200, wantBody: []string{`"ann"`},
			notInBody: []string{`"bob"`},
		},
	})
	srv.db.Exec(t, "DROP CONSTRAINT no_more", nil)
}
