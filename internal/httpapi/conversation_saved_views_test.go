package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/savedview"
	"graphrest/internal/testmark"
)

const (
	viewsPath = "/api/views"
	readGrant = `[{"kind":"node","type":"Person","actions":["read"]}]`
)

// viewUsers creates ann and bob, who may read and have the role team, eve, who may read, and writer, who may not.
func (srv *testServer) viewUsers(t *testing.T) {
	t.Helper()
	for _, name := range []string{"team", "board"} {
		r := srv.send(t, "root", "POST", "/api/admin/roles", fmt.Sprintf(`{"name":%q,"grants":%s}`, name, readGrant))
		require.Equal(t, http.StatusCreated, r.status, r.body)
	}
	for _, name := range []string{"ann", "bob"} {
		srv.userByPermissions(t, name, auth.Read)
		r := srv.send(t, "root", "PATCH", "/api/admin/users/"+name, `{"roles":["team"]}`)
		require.Equal(t, http.StatusOK, r.status, r.body)
	}
	srv.userByPermissions(t, "eve", auth.Read)
	srv.userByPermissions(t, "writer", auth.Create, auth.Edit, auth.Delete)
}

func TestSavedViewConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.viewUsers(t)
	const body = `{"name":"Late <b>flights</b>","page":"edges","state":{"v":1,"filters":[1.0,"é"],"at":[12.5,-3]}}`
	view := viewsPath + "/{id}"
	runSteps(t, srv, slices.Concat(
		deniedCases("GET "+viewsPath, "", "read", "writer"),
		deniedCases("POST "+viewsPath, body, "read", "writer"),
		deniedCases("GET "+viewsPath+"/x", "", "read", "writer"),
		deniedCases("PUT "+viewsPath+"/x", `{"name":"x"}`, "read", "writer"),
		deniedCases("DELETE "+viewsPath+"/x", "", "read", "writer"),
		[]step{
			{name: "none yet", user: "ann", request: "GET " + viewsPath, wantStatus: 200, wantBody: []string{`"data":[]`}},
			{
				name: "all problems together", user: "ann", request: "POST " + viewsPath, wantStatus: 400, wantCode: "VALIDATION_ERROR",
				body:     `{"name":" ","description":1,"page":"home","state":[],"roles":[1],"everyone":"yes","x":1}`,
				wantBody: []string{`"name"`, `"description"`, `"page"`, `"state"`, `"roles`, `"everyone"`, `"x"`},
			},
			{
				name: "nothing given", user: "ann", request: "POST " + viewsPath, body: `{}`, wantStatus: 400,
				wantBody: []string{`"name"`, `"page"`, `"state"`},
			},
			{
				name: "private", user: "ann", request: "POST " + viewsPath, body: body, wantStatus: 201, save: "id=data.id",
				wantBody: []string{
					`"name":"Late <b>flights</b>","description":"","page":"edges","owner":"ann","own":true,"roles":[],"everyone":false,"version":1`,
					`"state":{"at":[12.5,-3],"filters":[1.0,"é"],"v":1}`,
				},
				wantHeaders: []string{"ETag", `"1"`, "Location", viewsPath + "/"},
			},
			{name: "the owner reads it", user: "ann", request: "GET " + view, wantStatus: 200, wantBody: []string{`"filters"`}},
			{
				name: "unchanged", user: "ann", request: "GET " + view, header: []string{"If-None-Match", `"1"`}, wantStatus: 304,
			},
			{
				name: "others do not", user: "bob", request: "GET " + view,
				wantStatus: 404, wantCode: "NOT_FOUND", notInBody: []string{"Late", "ann"},
			},
			{name: "nor the administrator", user: "root", request: "GET " + view, wantStatus: 404, notInBody: []string{"Late"}},
			{name: "nor change it", user: "bob", request: "PUT " + view, body: `{"everyone":true}`, wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "nor delete it", user: "bob", request: "DELETE " + view, wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "nor list it", user: "bob", request: "GET " + viewsPath, wantStatus: 200, wantBody: []string{`"data":[]`}},
			{
				name: "an administrator cannot look over the shoulder", user: "root", request: "GET " + view,
				header: []string{"Graphrest-View-As", "user:ann"}, wantStatus: 400, wantCode: "VALIDATION_ERROR", notInBody: []string{"Late"},
			},
			{
				name: "a role of others", user: "ann", request: "PUT " + view, body: `{"roles":["board"]}`, wantStatus: 400,
				wantBody: []string{`"roles"`, "roles that you have"},
			},
			{
				name: "an unknown role looks the same", user: "ann", request: "PUT " + view, body: `{"roles":["nobody"]}`, wantStatus: 400,
				wantBody: []string{`"roles"`, "roles that you have"},
			},
			{
				name: "share", user: "ann", request: "PUT " + view, body: `{"roles":["team","team"],"name":"Late"}`,
				header: []string{"If-Match", `"1"`}, wantStatus: 200, wantHeaders: []string{"ETag", `"2"`},
				wantBody: []string{`"name":"Late"`, `"roles":["team"]`, `"filters"`},
			},
			{
				name: "by an old version", user: "ann", request: "PUT " + view, body: `{"name":"Lost"}`, header: []string{"If-Match", `"1"`},
				wantStatus: 412, wantCode: "PRECONDITION_FAILED",
			},
			{
				name: "the role reads it", user: "bob", request: "GET " + view, wantStatus: 200,
				wantBody: []string{`"name":"Late"`, `"owner":"ann","own":false,"roles":null`},
			},
			{
				name: "and lists it", user: "bob", request: "GET " + viewsPath + "?owner=others&page=edges", wantStatus: 200,
				wantBody: []string{`"name":"Late"`}, notInBody: []string{"state", "filters"},
			},
			{
				name: "not as the token's", user: "bob", request: "GET " + viewsPath + "?owner=me",
				wantStatus: 200, wantBody: []string{`"data":[]`},
			},
			{
				name: "not for another page", user: "bob", request: "GET " + viewsPath + "?page=nodes",
				wantStatus: 200, wantBody: []string{`"data":[]`},
			},
			{name: "others still do not", user: "eve", request: "GET " + view, wantStatus: 404},
			{
				name: "a reader changes nothing", user: "bob", request: "PATCH " + view, body: `{"name":"Mine"}`,
				wantStatus: 403, wantCode: "PERMISSION_DENIED",
			},
			{name: "and deletes nothing", user: "bob", request: "DELETE " + view, wantStatus: 403, wantCode: "PERMISSION_DENIED"},
			{
				name: "null is no value", user: "ann", request: "PUT " + view, body: `{"state":null}`,
				wantStatus: 400, wantBody: []string{`"state"`},
			},
			{
				name: "with everyone", user: "ann", request: "PATCH " + view, body: `{"roles":[],"everyone":true}`,
				wantStatus: 200, wantBody: []string{`"roles":[]`},
			},
			{name: "everyone reads it", user: "eve", request: "GET " + view, wantStatus: 200, wantBody: []string{`"everyone":true`}},
			{name: "delete by an old version", user: "ann", request: "DELETE " + view, header: []string{"If-Match", `"1"`}, wantStatus: 412},
			{name: "an administrator deletes it", user: "root", request: "DELETE " + view, wantStatus: 200, wantBody: []string{`"deleted":true`}},
			{name: "it is gone", user: "ann", request: "GET " + view, wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "no id", user: "ann", request: "GET " + viewsPath + "/%00", wantStatus: 404, wantCode: "NOT_FOUND"},
		},
	))
	entries := srv.audit(t, "kind=saved_view")
	require.Len(t, entries, 4)
	actions := []string{}
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	require.Equal(t, []string{"delete", "update", "update", "create"}, actions)
}

// TestSavedViewsEndWithUsersAndRoles: a role created again with the same name is not the one that a view was shared with, and what a user
// saved is deleted with the user.
func TestSavedViewsEndWithUsersAndRoles(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.viewUsers(t)
	created := srv.send(t, "ann", "POST", viewsPath, `{"name":"V","page":"nodes","state":{},"roles":["team"]}`)
	require.Equal(t, http.StatusCreated, created.status, created.body)
	view := viewsPath + "/" + jsonAt(t, created.body, "data.id").(string)
	require.Equal(t, 200, srv.send(t, "bob", "GET", view, "").status)

	require.Equal(t, 200, srv.send(t, "root", "PATCH", "/api/admin/users/ann", `{"roles":[]}`).status)
	kept := srv.send(t, "ann", "PUT", view, `{"roles":["team"]}`)
	require.Equal(t, 200, kept.status, "it is shared with this role already: %s", kept.body)

	require.Equal(t, 200, srv.send(t, "root", "DELETE", "/api/admin/roles/team", "").status)
	require.Equal(t, 404, srv.send(t, "bob", "GET", view, "").status)
	require.Equal(t, `"3"`, srv.send(t, "ann", "GET", view, "").header.Get("ETag"), "it shows no role any more")
	require.Equal(t, 201, srv.send(t, "root", "POST", "/api/admin/roles", `{"name":"team","grants":`+readGrant+`}`).status)
	require.Equal(t, 200, srv.send(t, "root", "PATCH", "/api/admin/users/bob", `{"roles":["team"]}`).status)
	require.Equal(t, 404, srv.send(t, "bob", "GET", view, "").status)

	require.Equal(t, 200, srv.send(t, "ann", "PUT", view, `{"everyone":true}`).status)
	require.Equal(t, 200, srv.send(t, "root", "DELETE", "/api/admin/users/ann", "").status)
	require.Equal(t, 404, srv.send(t, "bob", "GET", view, "").status)
	require.Zero(t, srv.db.Count(t, "MATCH (v:_GraphrestSavedView) RETURN count(v)", nil))
}

// TestSavedViewsStayHidden: they are internal data, which no statement on the graph shows.
func TestSavedViewsStayHidden(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.viewUsers(t)
	created := srv.send(t, "ann", "POST", viewsPath, `{"name":"Hidden words","page":"nodes","state":{"x":"hidden words"},"roles":["team"]}`)
	require.Equal(t, http.StatusCreated, created.status, created.body)
	id := jsonAt(t, created.body, "data.id").(string)
	require.Equal(t, 404, srv.send(t, "root", "GET", "/api/nodes/"+id, "").status)
	for _, path := range []string{"/api/nodes", "/api/edges", "/api/schema", "/api/export", "/api/changes?since=0"} {
		r := srv.send(t, "root", "GET", path, "")
		require.Equal(t, 200, r.status, r.body)
		for _, text := range []string{id, "idden words", "_Graphrest"} {
			require.NotContains(t, r.body, text, path)
		}
	}
	require.Equal(t, 400, srv.send(t, "root", "GET", "/api/nodes?type=_GraphrestSavedView", "").status)
}

func TestSavedViewLimits(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.viewUsers(t)
	large := func(n int) string {
		return `{"name":"V","page":"explore","state":{"x":"` + strings.Repeat("x", n-len(`{"x":""}`)) + `"}}`
	}
	r := srv.send(t, "ann", "POST", viewsPath, large(savedview.MaxState+1))
	require.Equal(t, 400, r.status, "it is too large")
	require.Contains(t, r.body, `{"field":"state","message":"must be at most 262144 bytes long"}`)
	r = srv.send(t, "ann", "POST", viewsPath, large(savedview.MaxState))
	require.Equal(t, 201, r.status, "it is as large as allowed")
	deep := `{"name":"V","page":"explore","state":` + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000) + `}`
	require.Equal(t, 400, srv.send(t, "ann", "POST", viewsPath, deep).status, "it is too deep")

	for range savedview.MaxPerUser - 1 {
		require.Equal(t, 201, srv.send(t, "ann", "POST", viewsPath, `{"name":"V","page":"nodes","state":{}}`).status)
	}
	full := srv.send(t, "ann", "POST", viewsPath, `{"name":"V","page":"nodes","state":{}}`)
	require.Equal(t, "CONFLICT", jsonAt(t, full.body, "error.code"))
	require.Equal(t, 201, srv.send(t, "bob", "POST", viewsPath, `{"name":"V","page":"nodes","state":{}}`).status)

	seen, next := map[string]bool{}, viewsPath+"?limit=30"
	for next != "" {
		page := srv.send(t, "ann", "GET", next, "")
		require.Equal(t, 200, page.status, page.body)
		for _, v := range jsonAt(t, page.body, "data").([]any) {
			seen[v.(map[string]any)["id"].(string)] = true
		}
		next = ""
		if cursor, more := jsonAt(t, page.body, "meta.page.next_cursor").(string); more {
			next = viewsPath + "?limit=30&cursor=" + cursor
		}
	}
	require.Len(t, seen, savedview.MaxPerUser, "each is on one page")
}

// TestSavedViewsOfServiceTokens: they read what is shared with their roles and with everyone, and save nothing.
func TestSavedViewsOfServiceTokens(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.viewUsers(t)
	shared := srv.send(t, "ann", "POST", viewsPath, `{"name":"V","page":"nodes","state":{},"everyone":true}`)
	private := srv.send(t, "ann", "POST", viewsPath, `{"name":"P","page":"nodes","state":{}}`)
	path := func(r reply) string { return viewsPath + "/" + jsonAt(t, r.body, "data.id").(string) }
	token := srv.serviceToken(t, "robot", auth.Read).Secret
	require.Equal(t, 200, srv.sendToken(t, token, "GET", path(shared), "").status)
	require.Equal(t, 404, srv.sendToken(t, token, "GET", path(private), "").status)
	for _, r := range httpapi.Routes() {
		if !strings.HasPrefix(r.Path, viewsPath) || r.Method == http.MethodGet || r.Method == http.MethodHead {
			continue
		}
		target := viewsPath
		if r.Path != viewsPath {
			target = path(shared)
		}
		got := srv.sendToken(t, token, r.Method, target, `{"name":"x"}`)
		require.Equal(t, 403, got.status, "%s %s: %s", r.Method, r.Path, got.body)
		require.Contains(t, got.body, "log in as a user")
	}
}

func TestExplainOfSavedViews(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.viewUsers(t)
	created := srv.send(t, "ann", "POST", viewsPath, `{"name":"V","page":"nodes","state":{},"roles":["team"]}`)
	view := viewsPath + "/" + jsonAt(t, created.body, "data.id").(string)
	for _, c := range []struct{ user, method, want string }{
		{"ann", "DELETE", `"allowed":true`},
		{"bob", "GET", `"allowed":true`},
		{"bob", "PUT", `"code":"PERMISSION_DENIED"`},
		{"eve", "GET", `"code":"NOT_FOUND"`},
		{"root", "DELETE", `"allowed":true`},
	} {
		r := srv.send(t, "root", "POST", "/api/admin/explain", fmt.Sprintf(`{"user":%q,"method":%q,"path":%q}`, c.user, c.method, view))
		require.Equal(t, 200, r.status, r.body)
		require.Contains(t, r.body, c.want, "%s %s", c.user, c.method)
	}
}
