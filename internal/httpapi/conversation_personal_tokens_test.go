package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

// personalToken makes a personal token of a user and returns its secret, which send then uses for the user's name and "'s token".
func (srv *testServer) personalToken(t testing.TB, username, body string) (secret, id string) {
	t.Helper()
	r := srv.send(t, username, http.MethodPost, "/api/auth/tokens", body)
	require.Equal(t, http.StatusCreated, r.status, r.body)
	secret, id = jsonAt(t, r.body, "data.secret").(string), jsonAt(t, r.body, "data.id").(string)
	srv.tokensMu.Lock()
	defer srv.tokensMu.Unlock()
	srv.tokens[username+"'s token"] = secret
	return secret, id
}

func TestPersonalTokenConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "bob", auth.Read)
	grants := `[{"kind":"node","type":"Film","actions":["read","create"]}]`
	require.Equal(t, 201, srv.send(t, "root", "POST", "/api/admin/roles", `{"name":"films","grants":`+grants+`}`).status)
	require.Equal(t, 201, srv.send(t, "root", "POST", "/api/admin/roles", `{"name":"books","grants":[]}`).status)
	srv.user(t, "ann", auth.Read, auth.Create, auth.Edit)
	require.Equal(t, 200, srv.send(t, "root", "PUT", "/api/admin/users/ann", `{"admin":true,"roles":["films"]}`).status)
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	program := srv.serviceToken(t, "program", auth.AllPermissions()...)
	require.NotEmpty(t, program.Secret)
	refused := func(name, body string, fields ...string) step {
		for i := range fields {
			fields[i] = `"field":"` + fields[i] + `"`
		}
		return step{
			name: name, user: "ann", request: "POST /api/auth/tokens", body: body, wantStatus: 400, wantCode: "VALIDATION_ERROR",
			wantBody: fields,
		}
	}
	runSteps(t, srv, []step{
		{name: "no service token", user: "program", request: "POST /api/auth/tokens", body: `{"name":"x"}`, wantStatus: 403},
		{name: "nor its list", user: "program", request: "GET /api/auth/tokens", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{
			name: "create", user: "ann", request: "POST /api/auth/tokens", body: `{"name":"laptop","permissions":["create","read"]}`,
			wantStatus: 201, save: "id=data.id", wantHeaders: []string{"Cache-Control", "no-store"},
			wantBody: []string{
				`"name":"laptop","permissions":["read","create"],"roles":[],"created_at":"20`, `"secret":"grp_`, `"last_used_at":null`,
			},
			notInBody: []string{"hash", "owner"},
		},
		{
			name: "uncut", user: "ann", request: "POST /api/auth/tokens", body: `{"name":"laptop","expires_at":null}`, wantStatus: 201,
			save: "uncut=data.id", wantBody: []string{`"permissions":null,"roles":null`},
		},
		refused("no name", `{}`, "name"),
		refused("every problem", `{"name":"","permissions":["fly"],"expires_at":"soon","rate_limit":1}`,
			"name", "permissions", "expires_at", "rate_limit"),
		refused("a permission that the user lacks", `{"name":"x","permissions":["read","delete"]}`, "permissions"),
		refused("a role that the user lacks", `{"name":"x","roles":["films","books"]}`, "roles[1]"),
		refused("no such role", `{"name":"x","roles":["nobody"]}`, "roles[0]"),
		refused("in the past", `{"name":"x","expires_at":"`+in(-time.Minute)+`"}`, "expires_at"),
		refused("in more than a year", `{"name":"x","expires_at":"`+in(367*24*time.Hour)+`"}`, "expires_at"),
		{
			name: "list", user: "ann", request: "GET /api/auth/tokens?limit=1", wantStatus: 200,
			wantBody: []string{`"name":"laptop"`, `"has_more":true`, `"total":2`}, notInBody: []string{"secret", "grp_", "hash"},
			save: "cursor=meta.page.next_cursor",
		},
		{
			name: "the rest", user: "ann", request: "GET /api/auth/tokens?limit=1&cursor={cursor}", wantStatus: 200,
			wantBody: []string{`"name":"laptop"`, `"has_more":false`},
		},
		{name: "others see none of it", user: "bob", request: "GET /api/auth/tokens", wantStatus: 200, wantBody: []string{`"data":[]`}},
		{name: "or delete it", user: "bob", request: "DELETE /api/auth/tokens/{id}", wantStatus: 404, wantCode: "NOT_FOUND"},
		{name: "nor as an administrator", user: "bob", request: "GET /api/admin/users/ann/tokens", wantStatus: 403},
		{
			name: "administrators see it", user: "root", request: "GET /api/admin/users/ann/tokens", wantStatus: 200,
			wantBody: []string{`{id}`, `{uncut}`},
		},
		{name: "of the user only", user: "root", request: "GET /api/admin/users/bob/tokens", wantStatus: 200, wantBody: []string{`"data":[]`}},
		{name: "no such user", user: "root", request: "GET /api/admin/users/nobody/tokens", wantStatus: 404},
		{name: "of another user", user: "root", request: "DELETE /api/admin/users/bob/tokens/{id}", wantStatus: 404},
		{name: "it is no service token", user: "root", request: "GET /api/admin/tokens", wantStatus: 200, notInBody: []string{"laptop"}},
		{name: "also to delete", user: "root", request: "DELETE /api/admin/tokens/{id}", wantStatus: 404},
		{name: "deleted by an administrator", user: "root", request: "DELETE /api/admin/users/ann/tokens/{uncut}", wantStatus: 200},
		{name: "once", user: "root", request: "DELETE /api/admin/users/ann/tokens/{uncut}", wantStatus: 404},
		{
			name: "deleted by its user", user: "ann", request: "DELETE /api/auth/tokens/{id}", wantStatus: 200,
			wantBody: []string{`"deleted":true`},
		},
		{
			name: "the audit", user: "root", request: "GET /api/admin/audit?kind=token&entity={id}", wantStatus: 200,
			wantBody: []string{`"user":"ann"`, `"action":"delete"`, `"action":"create"`, `"name":"laptop"`},
		},
	})
}

// A personal token acts as its user, with the rights that the user has at each request and the token is cut to.
func TestPersonalTokenActsAsItsUser(t *testing.T) {
	srv := newTestServer(t, nil)
	grants := `[{"kind":"node","type":"Film","actions":["read","create"]}]`
	require.Equal(t, 201, srv.send(t, "root", "POST", "/api/admin/roles", `{"name":"films","grants":`+grants+`}`).status)
	srv.user(t, "ann", auth.Read, auth.Create)
	require.Equal(t, 200, srv.send(t, "root", "PUT", "/api/admin/users/ann", `{"admin":true,"roles":["films"]}`).status)
	secret, token := srv.personalToken(t, "ann", `{"name":"laptop","permissions":["read","create"]}`)
	require.Regexp(t, `^grp_[A-Za-z0-9_-]{43}$`, secret)
	r := srv.send(t, "ann", "GET", "/api/auth/me", "")
	id := jsonAt(t, r.body, "data.id").(string)
	const film = `{"type":"Film","properties":{"n":1}}`
	runSteps(t, srv, []step{
		{
			name: "me", user: "ann's token", request: "GET /api/auth/me", wantStatus: 200,
			wantBody: []string{
				`"id":"` + id + `","username":"ann","permissions":["read","create"],"roles":[]`, `"admin":false`, `"personal_token":true`,
			},
		},
		{name: "creates", user: "ann's token", request: "POST /api/nodes", body: film, wantStatus: 201, save: "node=data.id"},
		{
			name: "the audit names user and token", user: "root", request: "GET /api/admin/audit?entity={node}", wantStatus: 200,
			wantBody: []string{`"user":"ann","user_id":"` + id + `"`, `"token":"laptop","token_id":"` + token + `"`, `"via":null`},
		},
		{name: "not by a login", user: "ann", request: "POST /api/nodes", body: film, wantStatus: 201, save: "other=data.id"},
		{
			name: "which the audit shows", user: "root", request: "GET /api/admin/audit?entity={other}", wantStatus: 200,
			wantBody: []string{`"token":null,"token_id":null`},
		},
		{name: "no administration", user: "ann's token", request: "GET /api/admin/users", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{
			name: "no view as", user: "ann's token", request: "GET /api/nodes", header: []string{httpapi.ViewAsHeader, "user:ann"},
			wantStatus: 403,
		},
		{name: "no other token", user: "ann's token", request: "POST /api/auth/tokens", body: `{"name":"x"}`, wantStatus: 403},
		{name: "no logout", user: "ann's token", request: "POST /api/auth/logout", wantStatus: 403, wantBody: []string{"personal token"}},
		{
			name: "no password", user: "ann's token", request: "PUT /api/auth/password", wantStatus: 403,
			body: `{"current_password":"` + password + `","new_password":"another horse battery"}`,
		},
		{name: "no login", request: "POST /api/auth/login", body: `{"username":"ann","password":"` + secret + `"}`, wantStatus: 401},
		{name: "not wider", user: "ann's token", request: "DELETE /api/nodes/{node}", wantStatus: 403},
		{
			name: "explained", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
			body:     `{"user":"ann","token":"` + token + `","method":"POST","path":"/api/auth/tokens"}`,
			wantBody: []string{`"allowed":false,"code":"PERMISSION_DENIED"`, "personal token"},
		},
		{
			name: "explained for another user", user: "root", request: "POST /api/admin/explain", wantStatus: 400,
			body: `{"user":"root","token":"` + token + `","method":"GET","path":"/api/nodes"}`, wantBody: []string{`"field":"token"`},
		},
		{name: "the user loses a right", user: "root", request: "PUT /api/admin/users/ann", body: `{"permissions":["read"]}`, wantStatus: 200},
		{name: "so does the token", user: "ann's token", request: "POST /api/nodes", body: film, wantStatus: 403},
		{name: "although a role gives it to the user", user: "ann", request: "POST /api/nodes", body: film, wantStatus: 201},
		{
			name: "the right returns", user: "root", request: "PUT /api/admin/users/ann", wantStatus: 200,
			body: `{"permissions":["read","create","delete"]}`,
		},
		{name: "to the token too", user: "ann's token", request: "POST /api/nodes", body: film, wantStatus: 201},
		{name: "a new right of the user does not", user: "ann's token", request: "DELETE /api/nodes/{node}", wantStatus: 403},
		{name: "the last use", user: "ann", request: "GET /api/auth/tokens", wantStatus: 200, wantBody: []string{`:00Z"`}},
		{name: "not another one", user: "ann's token", request: "DELETE /api/auth/tokens/nobody", wantStatus: 403},
		{name: "deletes itself", user: "ann's token", request: "DELETE /api/auth/tokens/" + token, wantStatus: 200},
		{name: "refused", user: "ann's token", request: "GET /api/nodes", wantStatus: 401, wantCode: "TOKEN_REVOKED"},
		{
			name: "explained as ended", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
			body:     `{"user":"ann","token":"` + token + `","method":"GET","path":"/api/nodes"}`,
			wantBody: []string{`"code":"TOKEN_REVOKED"`},
		},
	})
	srv.auditBuffer.Flush(context.Background())
	r = srv.send(t, "root", "GET", "/api/admin/audit?outcome=refused&user=ann", "")
	require.Contains(t, r.body, `"entity":"POST /api/auth/logout"`)
	require.Contains(t, r.body, `"token":"laptop","token_id":"`+token+`"`)
	stored := fmt.Sprint(srv.db.Query(t, "MATCH (n) RETURN properties(n) AS p", nil))
	for _, hidden := range []string{secret, secret[4:], "grp_"} {
		require.NotContains(t, srv.log.String()+r.body+stored, hidden)
	}
	require.Contains(t, srv.log.String(), `token_id`)
}

// A token that is cut to roles has no permission, and one that names neither has what its user has.
func TestPersonalTokenCuts(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	role := `{"name":"films","grants":[{"kind":"node","type":"Film","actions":["read"]}]}`
	require.Equal(t, 201, srv.send(t, "root", "POST", "/api/admin/roles", role).status)
	require.Equal(t, 200, srv.send(t, "root", "PUT", "/api/admin/users/ann", `{"roles":["films"]}`).status)
	film := jsonAt(t, srv.send(t, "ann", "POST", "/api/nodes", `{"type":"Film","properties":{}}`).body, "data.id").(string)
	book := jsonAt(t, srv.send(t, "ann", "POST", "/api/nodes", `{"type":"Book","properties":{}}`).body, "data.id").(string)
	for body, want := range map[string][]int{
		`{"name":"a"}`:                                          {200, 200, 200},
		`{"name":"b","permissions":["read"]}`:                   {200, 200, 403},
		`{"name":"c","roles":["films"]}`:                        {200, 404, 403},
		`{"name":"d","permissions":[]}`:                         {403, 403, 403},
		`{"name":"e","permissions":["edit"],"roles":["films"]}`: {200, 404, 200},
	} {
		token, _ := srv.personalToken(t, "ann", body)
		send := func(method, id, body string) int {
			return srv.sendToken(t, token, method, "/api/nodes/"+id, body).status
		}
		got := []int{send("GET", film, ""), send("GET", book, ""), send("PUT", film, `{"properties":{"n":1}}`)}
		require.Equal(t, want, got, body)
	}
}

// A user has at most 20 personal tokens, also if they are made concurrently.
func TestPersonalTokensAreFew(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann")
	srv.user(t, "bob")
	const more = 3
	_, first := srv.personalToken(t, "ann", `{"name":"first"}`)
	statuses := make(chan int, auth.MaxPersonalTokens-1+more)
	for range cap(statuses) {
		go func() { statuses <- srv.send(t, "ann", "POST", "/api/auth/tokens", `{"name":"same"}`).status }()
	}
	counts := map[int]int{}
	for range cap(statuses) {
		counts[<-statuses]++
	}
	require.Equal(t, map[int]int{201: auth.MaxPersonalTokens - 1, 409: more}, counts)
	r := srv.send(t, "ann", "POST", "/api/auth/tokens", `{"name":"x"}`)
	require.Equal(t, "CONFLICT", jsonAt(t, r.body, "error.code"))
	require.Equal(t, 201, srv.send(t, "bob", "POST", "/api/auth/tokens", `{"name":"x"}`).status)
	require.Equal(t, 200, srv.send(t, "ann", "DELETE", "/api/auth/tokens/"+first, "").status)
	require.Equal(t, 201, srv.send(t, "ann", "POST", "/api/auth/tokens", `{"name":"x"}`).status)
}

// Row 74 of the list of threats for personal tokens: what ends one ends it here at once and elsewhere within a second, also a stream.
func TestPersonalTokensEnd(t *testing.T) {
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	elsewhere, _ := srv.replica(t, options, time.Hour)
	own := `{"current_password":"` + password + `","new_password":"another horse battery"}`
	for name, end := range map[string][]string{
		"deletion":             {"own", "DELETE", "/api/auth/tokens/TOKEN", ""},
		"an administrator":     {"root", "DELETE", "/api/admin/users/USER/tokens/TOKEN", ""},
		"disabled":             {"root", "PUT", "/api/admin/users/USER", `{"disabled":true}`},
		"user deleted":         {"root", "DELETE", "/api/admin/users/USER", ""},
		"password by user":     {"own", "PUT", "/api/auth/password", own},
		"password by an admin": {"root", "PUT", "/api/admin/users/USER", `{"password":"another horse battery"}`},
	} {
		t.Run(name, func(t *testing.T) {
			user := strings.ReplaceAll(name, " ", "-")
			srv.user(t, user, auth.Read)
			secret, token := srv.personalToken(t, user, `{"name":"x"}`)
			there := func() int { _, status := srv.get(t, elsewhere, "/api/nodes", secret); return status }
			require.Eventually(t, func() bool { return there() == 200 }, 10*time.Second, 5*time.Millisecond)
			events := srv.openEvents(t, srv.url, user+"'s token", "")
			events.readUntil(t, ":")
			caller := strings.Replace(end[0], "own", user, 1)
			r := srv.send(t, caller, end[1], strings.NewReplacer("USER", user, "TOKEN", token).Replace(end[2]), end[3])
			require.Equal(t, 200, r.status, r.body)
			r = srv.sendToken(t, secret, "GET", "/api/nodes", "")
			require.Equal(t, 401, r.status)
			require.Equal(t, "TOKEN_REVOKED", jsonAt(t, r.body, "error.code"))
			require.Eventually(t, func() bool { return there() == 401 }, 10*time.Second, 5*time.Millisecond)
			require.Equal(t, "event: error\n", events.readUntil(t, "event:"))
			stored := "MATCH (t:_GraphrestServiceToken {id: $id}) WHERE t.deleted_at IS NULL RETURN count(t)"
			require.Zero(t, srv.db.Count(t, stored, map[string]any{"id": token}))
			if name == "disabled" {
				require.Equal(t, 200, srv.send(t, "root", "PUT", "/api/admin/users/"+user, `{"disabled":false}`).status)
				require.Equal(t, 401, srv.sendToken(t, secret, "GET", "/api/nodes", "").status, "it does not return")
				require.NotContains(t, srv.send(t, "root", "GET", "/api/admin/users/"+user+"/tokens", "").body, token)
			}
		})
	}
	require.NotContains(t, srv.log.String(), "grp_")
}

// A personal token whose owner, generation or kind was damaged gives no rights.
func TestDamagedPersonalTokens(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	for damage, want := range map[string]string{
		"REMOVE t.owner_id":      "INVALID_TOKEN",
		"SET t.owner_id = 'x'":   "TOKEN_REVOKED",
		"REMOVE t.generation":    "TOKEN_REVOKED",
		"SET t.generation = 'x'": "TOKEN_REVOKED",
		"SET t.deleted_at = 'x'": "TOKEN_REVOKED",
		"REMOVE t.expires_at":    "TOKEN_EXPIRED",
		"SET t.uncut = 'yes'":    "PERMISSION_DENIED",
	} {
		secret, _ := srv.personalToken(t, "ann", `{"name":"x"}`)
		require.Equal(t, 200, srv.sendToken(t, secret, "GET", "/api/nodes", "").status)
		srv.db.Exec(t, "MATCH (t:_GraphrestServiceToken) "+damage, nil)
		code := func() any {
			r := srv.sendToken(t, secret, "GET", "/api/nodes", "")
			if r.status == 200 {
				return nil
			}
			return jsonAt(t, r.body, "error.code")
		}
		require.Eventually(t, func() bool { return code() == want }, 10*time.Second, 20*time.Millisecond, damage)
		srv.db.Exec(t, "MATCH (t:_GraphrestServiceToken) DETACH DELETE t", nil)
	}
}
