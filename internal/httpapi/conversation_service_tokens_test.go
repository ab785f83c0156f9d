package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// serviceToken creates a service token, whose secret send then uses for that name.
func (srv *testServer) serviceToken(t testing.TB, name string, permissions ...auth.Permission) auth.CreatedServiceToken {
	t.Helper()
	created, err := srv.users.CreateServiceToken(context.Background(), nil, auth.NewServiceToken{Name: name, Permissions: permissions})
	require.NoError(t, err)
	srv.tokensMu.Lock()
	defer srv.tokensMu.Unlock()
	srv.tokens[name] = created.Secret
	return created
}

func TestServiceTokenConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	boss := auth.NewUser{Username: "boss", Password: password, Admin: true, Permissions: []auth.Permission{auth.Read}}
	_, err := srv.users.CreateUser(context.Background(), boss)
	require.NoError(t, err)
	program := srv.serviceToken(t, "program", auth.AllPermissions()...)
	const body = `{"name":"CI & \"more\"","permissions":["edit","read"],"rate_limit":5000,"expires_at":null,"roles":[]}`
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	runSteps(t, srv, slices.Concat(
		deniedCases("GET /api/admin/tokens", "", "administrators", "ann", "program"),
		deniedCases("POST /api/admin/tokens", body, "administrators", "ann", "program"),
		deniedCases("DELETE /api/admin/tokens/"+program.ID, "", "administrators", "ann", "program"),
		deniedCases("DELETE /api/admin/tokens/nobody", "", "administrators", "ann", "program"),
		deniedCases("GET /api/admin/users", "", "administrators", "program"),
		[]step{
			{
				name: "create", user: "root", request: "POST /api/admin/tokens", body: body, wantStatus: 201, save: "id=data.id",
				wantHeaders: []string{"Cache-Control", "no-store"},
				wantBody: []string{
					`"name":"CI & \"more\"","permissions":["read","edit"],"roles":[],"rate_limit":5000,"created_at":"20`, `"created_by":"root"`,
					`"last_used_at":null,"secret":"grt_`,
				},
				notInBody: []string{"hash"},
			},
			{
				name: "the name is taken", user: "root", request: "POST /api/admin/tokens", body: `{"name":"ci & \"MORE\""}`, wantStatus: 409,
				wantCode: "CONFLICT",
			},
			{
				name: "every problem", user: "root", request: "POST /api/admin/tokens", wantStatus: 400, wantCode: "VALIDATION_ERROR",
				body: `{"name":"","permissions":["admin"],"expires_at":"tomorrow","rate_limit":0,"secret":"grt_x"}`,
				wantBody: []string{
					`"name"`, `"permissions"`, `"expires_at"`, `"rate_limit"`, `"secret"`,
				},
			},
			{
				name: "no such role", user: "root", request: "POST /api/admin/tokens", body: `{"name":"x","roles":["nobody"]}`,
				wantStatus: 400, wantBody: []string{`"field":"roles[0]"`},
			},
			{
				name: "a role", user: "root", request: "POST /api/admin/roles", wantStatus: 201,
				body: `{"name":"films","grants":[{"kind":"node","type":"Film","actions":["read"]}]}`,
			},
			{
				name: "with the role", user: "root", request: "POST /api/admin/tokens", body: `{"name":"films","roles":["films"]}`,
				wantStatus: 201, wantBody: []string{`"permissions":[],"roles":["films"]`}, save: "films=data.id",
			},
			{
				name: "a role that the maker lacks", user: "boss", request: "POST /api/admin/tokens", body: `{"name":"x","roles":["films"]}`,
				wantStatus: 403, wantCode: "PERMISSION_DENIED", wantBody: []string{"role"},
			},
			{name: "delete the one with the role", user: "root", request: "DELETE /api/admin/tokens/{films}", wantStatus: 200},
			{name: "no name", user: "root", request: "POST /api/admin/tokens", body: `{}`, wantStatus: 400, wantBody: []string{`"field":"name"`}},
			{
				name: "in the past", user: "root", request: "POST /api/admin/tokens", body: `{"name":"x","expires_at":"` + in(-time.Minute) + `"}`,
				wantStatus: 400, wantBody: []string{`"field":"expires_at"`},
			},
			{
				name: "in more than a year", user: "root", request: "POST /api/admin/tokens",
				body: `{"name":"x","expires_at":"` + in(367*24*time.Hour) + `"}`, wantStatus: 400,
				wantBody: []string{`"field":"expires_at"`, "one year"},
			},
			{
				name: "wider than its maker", user: "boss", request: "POST /api/admin/tokens", body: `{"name":"wide","permissions":["read","delete"]}`,
				wantStatus: 403, wantCode: "PERMISSION_DENIED", wantBody: []string{"delete"},
			},
			{
				name: "not wider", user: "boss", request: "POST /api/admin/tokens",
				body: `{"name":"zebra","permissions":["read"],"expires_at":"` + in(time.Hour) + `"}`, wantStatus: 201, save: "zebra=data.id",
			},
			{
				name: "list", user: "root", request: "GET /api/admin/tokens?limit=2", wantStatus: 200,
				wantBody:  []string{`"CI & \"more\""`, `"program"`, `"has_more":true`, `"total":3`},
				notInBody: []string{"zebra", "hash", "secret", "grt_"}, save: "cursor=meta.page.next_cursor",
			},
			{
				name: "the rest of the list", user: "root", request: "GET /api/admin/tokens?limit=2&cursor={cursor}", wantStatus: 200,
				wantBody: []string{`"zebra"`, `"created_by":"boss"`}, notInBody: []string{"program"},
			},
			{
				name: "unknown parameter", user: "root", request: "GET /api/admin/tokens?name=x", wantStatus: 400,
				wantBody: []string{`"field":"name"`},
			},
			{
				name: "no update", user: "root", request: "PUT /api/admin/tokens/{id}", body: `{}`, wantStatus: 405,
				wantHeaders: []string{"Allow", "DELETE"},
			},

			{
				name: "me", user: "program", request: "GET /api/auth/me", wantStatus: 200,
				wantBody: []string{
					`"id":"` + program.ID + `","username":"token:program","permissions":["read","create","edit","delete","query","console"],"roles":[]`,
					`"admin":false,"expires_at":"20`,
					`"service_token":true`,
				},
			},
			{name: "me of a user", user: "root", request: "GET /api/auth/me", wantStatus: 200, wantBody: []string{`"service_token":false`}},
			{
				name: "no logout", user: "program", request: "POST /api/auth/logout", wantStatus: 403, wantCode: "PERMISSION_DENIED",
				wantBody: []string{"service token"},
			},
			{
				name: "no password", user: "program", request: "PUT /api/auth/password",
				body: `{"current_password":"` + password + `","new_password":"another horse battery"}`, wantStatus: 403, wantCode: "PERMISSION_DENIED",
			},
			{
				name: "no login", request: "POST /api/auth/login", body: `{"username":"token:program","password":"` + program.Secret + `"}`,
				wantStatus: 401, wantCode: "INVALID_CREDENTIALS",
			},
			{
				name: "no user of that kind", user: "root", request: "POST /api/admin/users",
				body: `{"username":"Token:program","password":"` + password + `"}`, wantStatus: 400,
				wantBody: []string{`"field":"username"`, "service tokens"},
			},
			{
				name: "a node by a token", user: "program", request: "POST /api/nodes", body: `{"type":"Person","properties":{"n":1}}`,
				header: []string{"Idempotency-Key", "one"}, wantStatus: 201, save: "node=data.id",
			},
			{
				name: "the same again", user: "program", request: "POST /api/nodes", body: `{"type":"Person","properties":{"n":1}}`,
				header: []string{"Idempotency-Key", "one"}, wantStatus: 201, wantHeaders: []string{"Idempotent-Replayed", "true"},
				wantBody: []string{"{node}"},
			},
			{
				name: "the key is its own", user: "ann", request: "POST /api/nodes", body: `{"type":"Person","properties":{"n":1}}`,
				header: []string{"Idempotency-Key", "one"}, wantStatus: 201, notInBody: []string{"{node}"},
			},
			{
				name: "history names it", user: "ann", request: "GET /api/nodes/{node}/history", wantStatus: 200,
				wantBody: []string{`"user":"token:program","user_id":"` + program.ID + `"`},
			},
			{
				name: "the audit as well", user: "root", request: "GET /api/admin/audit?user=token:program&action=create", wantStatus: 200,
				wantBody: []string{`"user_id":"` + program.ID + `"`, `"entity":"{node}"`},
			},
			{
				name: "its own change set", user: "program", request: "POST /api/changesets",
				body: `{"title":"T","operations":[{"op":"delete_node","id":"{node}"}]}`, wantStatus: 201, save: "set=data.id",
				wantBody: []string{`"token:program"`},
			},
			{
				name: "not approved by itself", user: "program", request: "POST /api/changesets/{set}/approve", wantStatus: 403,
				wantCode: "PERMISSION_DENIED",
			},
			{name: "tokens are no nodes", user: "ann", request: "GET /api/nodes?type=_GraphrestServiceToken", wantStatus: 400},
			{name: "nor nodes by id", user: "ann", request: "GET /api/nodes/" + program.ID, wantStatus: 404},
			{name: "nor in the schema", user: "ann", request: "GET /api/schema", wantStatus: 200, notInBody: []string{"_Graphrest"}},
			{name: "the last use", user: "root", request: "GET /api/admin/tokens", wantStatus: 200, wantBody: []string{`:00Z"`}},

			{
				name: "delete", user: "root", request: "DELETE /api/admin/tokens/" + program.ID, wantStatus: 200,
				wantBody: []string{`"data":{"id":"` + program.ID + `","deleted":true}`},
			},
			{
				name: "refused from now on", user: "program", request: "GET /api/auth/me", wantStatus: 401, wantCode: "TOKEN_REVOKED",
				wantHeaders: []string{"WWW-Authenticate", `error="invalid_token"`},
			},
			{name: "gone", user: "root", request: "DELETE /api/admin/tokens/" + program.ID, wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "missing", user: "root", request: "DELETE /api/admin/tokens/%00", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "its changes keep its name", user: "ann", request: "GET /api/nodes/{node}/history", wantStatus: 200,
				wantBody: []string{`"user":"token:program"`},
			},
			{
				name: "creation and deletion are audited", user: "root", request: "GET /api/admin/audit?kind=token&user=root", wantStatus: 200,
				wantBody: []string{`"action":"delete"`, `"name":"program"`, `"action":"create"`, `"entity":"{id}"`}, notInBody: []string{"grt_"},
			},
			{name: "by name", user: "root", request: "GET /api/admin/audit?entity=program", wantStatus: 200, wantBody: []string{`"kind":"token"`}},
		},
	))
	srv.auditBuffer.Flush(context.Background())
	refused := srv.send(t, "root", "GET", "/api/admin/audit?outcome=refused&user=token:program", "")
	require.Contains(t, refused.body, `"entity":"POST /api/auth/logout"`)
	require.Contains(t, refused.body, `"code":"TOKEN_REVOKED"`)
	require.NotContains(t, srv.log.String(), "grt_")
}

// A service token has its own budget, with its own size.
func TestServiceTokenHasItsOwnRateLimit(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.RateLimit = 100 })
	srv.serviceToken(t, "default", auth.Read)
	r := srv.send(t, "root", http.MethodPost, "/api/admin/tokens", `{"name":"small","permissions":["read"],"rate_limit":2}`)
	require.Equal(t, http.StatusCreated, r.status, r.body)
	small := jsonAt(t, r.body, "data.secret").(string)
	for range 2 {
		r = srv.sendToken(t, small, http.MethodGet, "/api/nodes", "")
		require.Equal(t, http.StatusOK, r.status, r.body)
		require.Contains(t, r.header.Get("RateLimit-Policy"), `"user";q=2;`)
	}
	r = srv.sendToken(t, small, http.MethodGet, "/api/nodes", "")
	require.Equal(t, http.StatusTooManyRequests, r.status)
	r = srv.send(t, "default", http.MethodGet, "/api/nodes", "")
	require.Equal(t, http.StatusOK, r.status)
	require.Contains(t, r.header.Get("RateLimit"), "r=99")
}

// Row 74 of the list of threats: a service token that is used after its deletion, on this gateway and on another one, also by a stream that
// runs; and its secret or its hash in an answer, the log, the database or an error.
func TestDeletedServiceTokensEndEverywhere(t *testing.T) {
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	elsewhere, _ := srv.replica(t, options, time.Hour)
	for place, base := range map[string]string{"here": srv.url, "elsewhere": elsewhere} {
		t.Run(place, func(t *testing.T) {
			made := srv.serviceToken(t, place, auth.Read)
			status := func() int {
				body, status := srv.get(t, base, "/api/nodes", made.Secret)
				require.NotContains(t, body, made.Secret)
				return status
			}
			require.Eventually(t, func() bool { return status() == http.StatusOK }, 10*time.Second, 5*time.Millisecond)
			events := srv.openEvents(t, base, place, "")
			events.readUntil(t, ":")
			require.Equal(t, http.StatusOK, srv.send(t, "root", http.MethodDelete, "/api/admin/tokens/"+made.ID, "").status)
			deleted := time.Now()
			if place == "here" {
				require.Equal(t, http.StatusUnauthorized, status())
			}
			require.Equal(t, "event: error\n", events.readUntil(t, "event:"))
			require.Less(t, time.Since(deleted), 1200*time.Millisecond, "with the time that a busy machine needs")
			require.Contains(t, events.readUntil(t, "data:"), `{"error":{"code":"TOKEN_REVOKED"`)
			events.readUntil(t, "\n")
			_, err := events.lines.ReadString('\n')
			require.ErrorIs(t, err, io.EOF, "nothing follows")
			require.Equal(t, http.StatusUnauthorized, status(), "the stream ended because the cache knows")
		})
	}
	hashes := srv.db.Query(t, "MATCH (t:_GraphrestServiceToken) RETURN t.hash AS hash", nil)
	require.Len(t, hashes, 2)
	r := srv.send(t, "root", http.MethodGet, "/api/admin/audit", "")
	stored, err := json.Marshal(srv.db.Query(t, "MATCH (n) RETURN labels(n) AS l, properties(n) AS p", nil))
	require.NoError(t, err)
	for _, place := range []string{"here", "elsewhere"} {
		secret := srv.token(t, place)
		require.NotContains(t, srv.log.String()+r.body+string(stored), secret[4:])
	}
	for _, row := range hashes {
		hash := row["hash"].(string)
		require.NotContains(t, srv.log.String()+r.body, hash)
		require.Equal(t, 1, strings.Count(string(stored), hash), "in its own node only")
		require.Equal(t, http.StatusUnauthorized, srv.sendToken(t, "grt_"+hash, http.MethodGet, "/api/nodes", "").status, "the hash is no secret")
	}
}

func (srv *testServer) get(t *testing.T, base, target, token string) (body string, status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+target, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(text), res.StatusCode
}

// Names and ids of service tokens with hostile texts are data.
func TestHostileServiceTokenNames(t *testing.T) {
	srv := newTestServer(t, nil)
	const internal = "MATCH (n) WHERE NOT n:_GraphrestAudit|_GraphrestChange|_GraphrestServiceToken RETURN count(n)"
	before := srv.db.Count(t, internal, nil)
	names := []string{
		"<img src=x onerror=alert(1)>", "x'}) DETACH DELETE t //", "a/../b?c#d", "$id", "null", "token:token:x", "root",
	}
	for i, name := range names {
		text, err := json.Marshal(name)
		require.NoError(t, err)
		r := srv.send(t, "root", http.MethodPost, "/api/admin/tokens", fmt.Sprintf(`{"name":%s,"permissions":["read"]}`, text))
		require.Equal(t, http.StatusCreated, r.status, "%d: %s", i, r.body)
		require.Equal(t, name, jsonAt(t, r.body, "data.name"))
		me := srv.sendToken(t, jsonAt(t, r.body, "data.secret").(string), http.MethodGet, "/api/auth/me", "")
		require.Equal(t, "token:"+name, jsonAt(t, me.body, "data.username"))
		require.Equal(t, false, jsonAt(t, me.body, "data.admin"))
		r = srv.send(t, "root", http.MethodDelete, "/api/admin/tokens/"+jsonAt(t, r.body, "data.id").(string), "")
		require.Equal(t, http.StatusOK, r.status, r.body)
	}
	for _, id := range []string{"x'}) DETACH DELETE t //", "%27%7D)", "..%2Fusers", "_GraphrestUser", strings.Repeat("x", 1000)} {
		r := srv.send(t, "root", http.MethodDelete, "/api/admin/tokens/"+strings.ReplaceAll(strings.ReplaceAll(id, " ", "%20"), "'", "%27"), "")
		require.Equal(t, http.StatusNotFound, r.status, "%s: %s", id, r.body)
	}
	require.Equal(t, before, srv.db.Count(t, internal, nil))
}
