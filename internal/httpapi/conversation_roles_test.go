package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/rules"
)

func TestRolesConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "ann", auth.AllPermissions()...) // the list has only the role of the conversation
	const grant = `{"kind":"node","type":"Person","actions":["read","edit"],` +
		`"where":{"team":{"eq":{"$user":"attributes.team"}},"age":{"gte":1.0}},` +
		`"hidden":["salary"]}`
	const hr = `{"name":"hr","description":"Staff","grants":[` + grant + `]}`
	const bob = `{"username":"bob","password":"` + password + `","roles":["hr"],` +
		`"attributes":{"team":"x","since":{"$type":"Date","_value":"2024-05-01"}}}`
	runSteps(t, srv, slices.Concat(
		deniedCases("GET /api/admin/roles", "", "administrators", "ann"),
		deniedCases("POST /api/admin/roles", hr, "administrators", "ann"),
		deniedCases("GET /api/admin/roles/hr", "", "administrators", "ann"),
		deniedCases("PUT /api/admin/roles/hr", `{"grants":[]}`, "administrators", "ann"),
		deniedCases("PATCH /api/admin/roles/hr", `{"grants":[]}`, "administrators", "ann"),
		deniedCases("DELETE /api/admin/roles/hr", "", "administrators", "ann"),
		[]step{
			{
				name: "create", user: "root", request: "POST /api/admin/roles", body: hr, wantStatus: 201,
				wantHeaders: []string{"Location", "/api/admin/roles/hr"},
				wantBody: []string{
					`"name":"hr","description":"Staff","grants":[{"kind":"node","type":"Person","actions":["read","edit"],`,
					`"where":{"age":{"gte":1.0},"team":{"eq":{"$user":"attributes.team"}}},"hidden":["salary"]}]`,
				},
			},
			{name: "create again", user: "root", request: "POST /api/admin/roles", body: hr, wantStatus: 409, wantCode: "CONFLICT"},
			{
				name: "create with every problem", user: "root", request: "POST /api/admin/roles", wantStatus: 400,
				body:     `{"name":"a/b","queries":["A b"],"grants":[{"kind":"x","type":"_GraphrestUser","actions":[]}]}`,
				wantBody: []string{`"name"`, `"queries[0]"`, `"grants[0].kind"`, `"grants[0].type"`, `"grants[0].actions"`},
			},
			{
				name: "a condition on ids", user: "root", request: "POST /api/admin/roles", wantStatus: 400,
				body: `{"name":"b","grants":[{"kind":"node","type":"Person","actions":["read"]},
					{"kind":"node","type":"*","actions":["read"],"where":{"uuid":{"exists":true}}}]}`,
				wantBody: []string{`"field":"grants[1].where.uuid.exists"`},
			},
			{
				name: "create without grants", user: "root", request: "POST /api/admin/roles", body: `{"name":"b"}`,
				wantStatus: 400, wantBody: []string{`"grants"`},
			},
			{
				name: "read", user: "root", request: "GET /api/admin/roles/hr", wantStatus: 200,
				wantBody: []string{`"name":"hr"`, `"created_at":"20`},
			},
			{name: "missing", user: "root", request: "GET /api/admin/roles/nobody", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "missing with NUL", user: "root", request: "GET /api/admin/roles/%00", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "a user with an unknown role", user: "root", request: "POST /api/admin/users",
				body: `{"username":"bob","password":"` + password + `","roles":["hr","boss"]}`, wantStatus: 400,
				wantBody: []string{`"roles[1]"`},
			},
			{
				name: "a user with nested attributes", user: "root", request: "POST /api/admin/users",
				body: `{"username":"bob","password":"` + password + `","attributes":{"a":{"b":1}}}`, wantStatus: 400,
				wantBody: []string{`"attributes.a"`},
			},
			{name: "was not created", user: "root", request: "GET /api/admin/users/bob", wantStatus: 404},
			{name: "a user with the role", user: "root", request: "POST /api/admin/users", body: bob, wantStatus: 201, wantBody: []string{
				`"permissions":[]`, `"roles":["hr"]`, `"attributes":{"since":{"$type":"Date","_value":"2024-05-01"},"team":"x"}`,
			}},
			{
				name: "who am I", user: "bob", request: "GET /api/auth/me", wantStatus: 200,
				wantBody: []string{`"permissions":[]`, `"roles":["hr"]`, `"effective":{"node":["read","edit"],"edge":[]}`},
			},
			{name: "grants open routes that obey them", user: "bob", request: "GET /api/nodes", wantStatus: 200},
			{name: "of their kind", user: "bob", request: "GET /api/edges", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
			{
				name: "whether or not the id exists", user: "bob", request: "GET /api/edges/nothing", wantStatus: 403,
				wantCode: "PERMISSION_DENIED",
			},
			{
				name: "the past too", user: "bob", request: "GET /api/nodes/nothing?at=2026-01-01T00:00:00Z", wantStatus: 404,
				wantCode: "NOT_FOUND",
			},
			{
				name: "update", user: "root", request: "PUT /api/admin/roles/hr",
				body: `{"name":"hr","grants":[{"kind":"edge","type":"*","actions":["read"]}]}`, wantStatus: 200,
				wantBody: []string{`"description":"Staff"`, `"grants":[{"kind":"edge","type":"*","actions":["read"]}]`},
			},
			{name: "which counts at once", user: "bob", request: "GET /api/nodes", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
			{name: "both ways", user: "bob", request: "GET /api/edges", wantStatus: 200},
			{
				name: "no condition on ids later", user: "root", request: "PUT /api/admin/roles/hr", wantStatus: 400,
				body:     `{"grants":[{"kind":"edge","type":"*","actions":["read"],"where":{"uuid":{"eq":"a"}}}]}`,
				wantBody: []string{`"field":"grants[0].where.uuid.eq"`},
			},
			{
				name: "a name does not change", user: "root", request: "PATCH /api/admin/roles/hr", body: `{"name":"rh"}`,
				wantStatus: 400, wantBody: []string{`"name"`},
			},
			{
				name: "grants are not null", user: "root", request: "PATCH /api/admin/roles/hr", body: `{"grants":null}`,
				wantStatus: 400, wantBody: []string{`"grants"`},
			},
			{name: "update of nothing", user: "root", request: "PUT /api/admin/roles/nothing", body: `{}`, wantStatus: 404},
			{
				name: "list", user: "root", request: "GET /api/admin/roles?limit=1", wantStatus: 200,
				wantBody: []string{`"name":"hr"`, `"has_more":false`, `"total":1`},
			},
			{
				name: "attributes are replaced", user: "root", request: "PUT /api/admin/users/bob",
				body: `{"attributes":{"team":"y"}}`, wantStatus: 200,
				wantBody: []string{`"roles":["hr"],"attributes":{"team":"y"}`},
			},
			{
				name: "delete", user: "root", request: "DELETE /api/admin/roles/hr", wantStatus: 200,
				wantBody: []string{`"data":{"name":"hr","deleted":true}`},
			},
			{
				name: "taken from its users", user: "root", request: "GET /api/admin/users/bob", wantStatus: 200,
				wantBody: []string{`"roles":[]`},
			},
			{name: "at once", user: "bob", request: "GET /api/edges", wantStatus: 403},
			{name: "gone", user: "root", request: "DELETE /api/admin/roles/hr", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "created again", user: "root", request: "POST /api/admin/roles", body: hr, wantStatus: 201},
			{
				name: "it is a different role", user: "root", request: "GET /api/admin/users/bob", wantStatus: 200,
				wantBody: []string{`"roles":[]`},
			},
			{name: "roles are no nodes", user: "root", request: "GET /api/nodes", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{
				name: "the audit has no values", user: "root", request: "GET /api/admin/audit?kind=user&entity=bob&action=update",
				wantStatus: 200, wantBody: []string{`"fields":["attributes"]`}, notInBody: []string{`"y"`},
			},
			{
				name: "the audit of roles", user: "root", request: "GET /api/admin/audit?kind=role", wantStatus: 200,
				wantBody: []string{`"action":"create"`, `"action":"delete"`, `"fields":["grants"]`, `"entity":"hr"`},
			},
		},
	))
}

// TestExplainConversation: explain gives the code that the request gets, and names the permission or the grant that decides.
func TestExplainConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "ann", auth.Read) // explained as a permission
	create := func(request, body, save string) step {
		return step{name: save, user: "root", request: request, body: body, wantStatus: 201, save: save + "=data.id"}
	}
	explain := func(name, user, request string, wantBody ...string) step {
		method, path, _ := strings.Cut(request, " ")
		return step{
			name: name, user: "root", request: "POST /api/admin/explain", wantStatus: 200, wantBody: wantBody, notInBody: []string{"blue", "red"},
			body: fmt.Sprintf(`{"user":%q,"method":%q,"path":%q}`, user, method, path),
		}
	}
	const role = `{"name":"hr","grants":[{"kind":"node","type":"Person","actions":["read"],` +
		`"where":{"team":{"eq":{"$user":"attributes.team"}}}},` +
		`{"kind":"edge","type":"*","actions":["read"]},{"kind":"node","type":"Film","actions":["create"]}]}`
	steps := []step{
		create("POST /api/nodes", `{"type":"Person","properties":{"team":"blue"}}`, "own"),
		create("POST /api/nodes", `{"type":"Person","properties":{"team":"red"}}`, "other"),
		create("POST /api/edges", `{"type":"KNOWS","source_id":"{own}","target_id":"{own}"}`, "inside"),
		create("POST /api/edges", `{"type":"KNOWS","source_id":"{own}","target_id":"{other}"}`, "across"),
		{name: "role", user: "root", request: "POST /api/admin/roles", body: role, wantStatus: 201},
		{
			name: "user", user: "root", request: "POST /api/admin/users", wantStatus: 201,
			body: `{"username":"bob","password":"` + password + `","roles":["hr"],"attributes":{"team":"blue"}}`,
		},
		explain("a permission", "ann", "GET /api/nodes/{other}",
			`"allowed":true`, `"role":null,"grant":null,"reason":"the permission read`),
		explain("a grant", "bob", "GET /api/nodes/{own}",
			`"allowed":true`, `{"role":"hr","grant":0,"reason":"it holds"}`, `"check":"visible","passed":true`),
		explain("a condition", "bob", "GET /api/nodes/{other}",
			`"allowed":false,"code":"NOT_FOUND"`, `"grant":0,"reason":"its condition where.team.eq is not met"`),
		explain("a missing id", "bob", "GET /api/nodes/nothing", `"code":"NOT_FOUND"`, `"check":"entity","passed":false`),
		explain("an edge", "bob", "GET /api/edges/{inside}", `"allowed":true`, `"role":"hr","grant":1`),
		explain("an end", "bob", "GET /api/edges/{across}", `"code":"NOT_FOUND"`, `"an end of the edge is not visible"`, `"grant":0`),
		explain("a list", "bob", "GET /api/nodes?type=Person",
			`"allowed":true`, `it holds for the type Person under the condition where.team.eq`),
		explain("no grant", "bob", "DELETE /api/nodes/{own}",
			`"code":"PERMISSION_DENIED"`, `"role":null`, `"check":"access","passed":false`),
		explain("the past", "bob", "GET /api/nodes/{own}?at=2026-01-01T00:00:00Z", `"code":"NOT_FOUND"`, `"check":"visible","passed":false`),
		explain("a history", "bob", "GET /api/nodes/{own}/history", `"allowed":true`, `the user sees a recorded state`),
		explain("a hidden history", "bob", "GET /api/nodes/{other}/history", `"code":"NOT_FOUND"`, `"check":"visible","passed":false`),
		explain("administrators", "bob", "GET /api/admin/users", `"code":"PERMISSION_DENIED"`, `only administrators`),
		explain("no permission", "bob", "GET /api/auth/me", `"allowed":true`),
		explain("no path", "bob", "GET /api/nothing", `"code":"NOT_FOUND"`, `"check":"route","passed":false`),
		explain("no method", "bob", "PUT /api/nodes", `"code":"METHOD_NOT_ALLOWED"`),
		{
			name: "no user", user: "root", request: "POST /api/admin/explain", wantStatus: 400, wantBody: []string{`"user"`},
			body: `{"user":"nobody","method":"GET","path":"/api/nodes"}`,
		},
		{
			name: "a URL", user: "root", request: "POST /api/admin/explain", wantStatus: 400, wantBody: []string{`"path"`, `"body"`, `"method"`},
			body: `{"user":"bob","method":"","path":"https://example.org/api/nodes","body":1}`,
		},
		{name: "disable", user: "root", request: "PUT /api/admin/users/bob", body: `{"disabled":true}`, wantStatus: 200},
		explain("a disabled user", "bob", "GET /api/nodes", `"code":"TOKEN_REVOKED"`, `"check":"account","passed":false`),
	}
	runSteps(t, srv, slices.Concat(
		deniedCases("POST /api/admin/explain", `{"user":"ann","method":"GET","path":"/api/nodes"}`, "administrators", "ann"), steps,
	))
}

// TestExplainAgreesWithRequests: for reads and writes of entities that the user sees, sees in part or does not see, explain gives the code
// that the request then gets.
func TestExplainAgreesWithRequests(t *testing.T) {
	srv := newTestServer(t, nil)
	grants, f := rules.ParseGrants("grants", `[
		{"kind":"node","type":"Person","actions":["read"]},
		{"kind":"node","type":"Film","actions":["read","create","edit","delete"],"where":{"owner":{"eq":{"$user":"username"}}},
			"hidden":["cost"],"read_only":["year"]},
		{"kind":"node","type":"Secret","actions":["edit","delete"],"where":{"open":{"eq":true}}},
		{"kind":"edge","type":"KNOWS","actions":["read","create","edit","delete"],"where":{"fixed":{"exists":false}}},
		{"kind":"edge","type":"LIKES","actions":["read"]}]`)
	require.Nil(t, f)
	_, err := srv.users.CreateRole(t.Context(), rules.Role{Name: "r", Grants: grants})
	require.NoError(t, err)
	_, err = srv.users.CreateUser(t.Context(), auth.NewUser{Username: "bob", Password: password, Roles: []string{"r"}})
	require.NoError(t, err)
	ids := []string{}
	create := func(name, path, body string) {
		r := srv.send(t, "root", "POST", path, strings.NewReplacer(ids...).Replace(body))
		require.Equal(t, http.StatusCreated, r.status, r.body)
		ids = append(ids, "{"+name+"}", jsonAt(t, r.body, "data.id").(string))
	}
	create("person", "/api/nodes", `{"type":"Person","properties":{}}`)
	create("own", "/api/nodes", `{"type":"Film","properties":{"owner":"bob","cost":1,"year":2000}}`)
	create("linked", "/api/nodes", `{"type":"Film","properties":{"owner":"bob"}}`)
	create("other", "/api/nodes", `{"type":"Film","properties":{"owner":"ann"}}`)
	create("blind", "/api/nodes", `{"type":"Secret","properties":{"open":true}}`)
	create("closed", "/api/nodes", `{"type":"Secret","properties":{"open":false}}`)
	create("knows", "/api/edges", `{"type":"KNOWS","source_id":"{person}","target_id":"{own}","properties":{}}`)
	create("fixed", "/api/edges", `{"type":"KNOWS","source_id":"{person}","target_id":"{person}","properties":{"fixed":1}}`)
	create("across", "/api/edges", `{"type":"KNOWS","source_id":"{person}","target_id":"{other}","properties":{}}`)
	create("likes", "/api/edges", `{"type":"LIKES","source_id":"{person}","target_id":"{linked}","properties":{}}`)
	for _, request := range []string{
		"GET /api/nodes/{person}", "GET /api/nodes/{own}", "GET /api/nodes/{other}", "GET /api/nodes/{blind}", "GET /api/nodes/nothing",
		"GET /api/nodes/{other}/degree", "GET /api/nodes/{own}/edges", "GET /api/nodes/{other}/edges", "GET /api/nodes?type=Secret",
		"GET /api/edges/{knows}", "GET /api/edges/{fixed}", "GET /api/edges/{across}", "GET /api/edges/{likes}", "GET /api/schema",
		"GET /api/trash", "GET /api/admin/roles", "POST /api/nodes/{own} {}", "GET /api/batch", "GET /api/edges/among", "DELETE /api/edges/among",
		"GET /api/admin/roles/preview", "PATCH /api/schema",
		`POST /api/nodes {"type":"Film","properties":{"owner":"bob"}}`, `POST /api/nodes {"type":"Film","properties":{"owner":"ann"}}`,
		`POST /api/nodes {"type":"Film","properties":{"owner":"bob","cost":2}}`, `POST /api/nodes {"type":"Person","properties":{}}`,
		`POST /api/edges {"type":"KNOWS","source_id":"{person}","target_id":"{own}"}`,
		`POST /api/edges {"type":"KNOWS","source_id":"{person}","target_id":"{other}"}`,
		`POST /api/edges {"type":"KNOWS","source_id":"{person}","target_id":"{own}","properties":{"fixed":1}}`,
		`POST /api/edges {"type":"LIKES","source_id":"{person}","target_id":"{own}"}`,
		`PUT /api/nodes/{own} {"properties":{"title":"x"}}`, `PUT /api/nodes/{own} {"properties":{"cost":2}}`,
		`PUT /api/nodes/{own} {"properties":{"year":2}}`, `PATCH /api/nodes/{own} {"properties":{"owner":"ann"}}`,
		`PUT /api/nodes/{other} {"properties":{"owner":"bob"}}`, `PUT /api/nodes/{person} {"properties":{"a":1}}`,
		`PUT /api/nodes/{blind} {"properties":{"a":1}}`, `PUT /api/nodes/{closed} {"properties":{"a":1}}`,
		`PUT /api/nodes/nothing {"properties":{}}`,
		`PUT /api/edges/{knows} {"properties":{"since":1}}`, `PUT /api/edges/{knows} {"properties":{"fixed":1}}`,
		`PUT /api/edges/{fixed} {"properties":{"since":1}}`, `PUT /api/edges/{likes} {"properties":{"since":1}}`,
		"DELETE /api/edges/{likes}", "DELETE /api/nodes/{linked}", "DELETE /api/nodes/{person}", "DELETE /api/nodes/{other}",
		"DELETE /api/nodes/{closed}", "DELETE /api/nodes/{blind}", "DELETE /api/edges/{knows}", "DELETE /api/nodes/{own}",
		"DELETE /api/nodes/{own}",
	} {
		method, rest, _ := strings.Cut(strings.NewReplacer(ids...).Replace(request), " ")
		path, body, _ := strings.Cut(rest, " ")
		question := fmt.Sprintf(`{"user":"bob","method":%q,"path":%q}`, method, path)
		if body != "" {
			question = fmt.Sprintf(`{"user":"bob","method":%q,"path":%q,"body":%s}`, method, path, body)
		}
		explained := srv.send(t, "root", "POST", "/api/admin/explain", question)
		require.Equal(t, http.StatusOK, explained.status, explained.body)
		got := srv.send(t, "bob", method, path, body)
		code := ""
		if got.status >= http.StatusBadRequest {
			code = jsonAt(t, got.body, "error.code").(string)
		}
		require.Equal(t, code == "", jsonAt(t, explained.body, "data.allowed"), "%s: %s but %s", request, explained.body, got.body)
		if code != "" {
			require.Equal(t, code, jsonAt(t, explained.body, "data.code"), "%s: %s but %s", request, explained.body, got.body)
		}
	}
	srv.auditBuffer.Flush(t.Context())
	names := srv.send(t, "root", "GET", "/api/admin/audit?outcome=refused&user=bob&entity=PUT%20%2Fapi%2Fnodes%2F%7Bnode_id%7D", "").body
	require.Contains(t, names, `"name":"r grants[1]"`, "a hidden property")
	require.Contains(t, names, `"name":"no grant"`)
}

// TestGrantsOpenOnlyRoutesThatObeyRules: a user with every right by grants gets the same from routes that obey rules as one with all
// permissions, and nothing from the others.
func TestGrantsOpenOnlyRoutesThatObeyRules(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByGrants(t, "ann", auth.AllPermissions()...)
	one := srv.target(t)
	srv.db.Exec(t, "CREATE FULLTEXT INDEX words FOR (n:Person) ON EACH [n.secret]", nil)
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	refreshTypeCatalog(t, srv)
	opened := 0
	for _, r := range protectedRoutes() {
		where := r.Method + " " + r.Path
		path, body, headers := one.request(r)
		got := srv.send(t, "ann", r.Method, path, body, headers...)
		switch r.Rules.String() {
		case "none":
			if r.Access.String() == "admin" {
				require.Equal(t, http.StatusForbidden, got.status, where)
			}
		case "permission":
			require.Equal(t, http.StatusForbidden, got.status, where)
		default:
			opened++
			requireRevealed(t, r, auth.Principal{Permissions: auth.AllPermissions()}, got)
			if r.Method == http.MethodDelete {
				one = srv.target(t)
			}
		}
	}
	require.GreaterOrEqual(t, opened, 8)
}
