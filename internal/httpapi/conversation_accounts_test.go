package httpapi_test

import (
	"slices"
	"testing"

	"graphrest/internal/auth"
)

func TestSchemaConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	runSteps(t, srv, slices.Concat(
		deniedCases("GET /api/schema", "", "read", "writer"),
		deniedCases("GET /api/schema/nodes", "", "read", "writer"),
		deniedCases("GET /api/schema/edges", "", "read", "writer"),
		[]step{
			{
				name: "of an empty graph", user: "reader", request: "GET /api/schema", wantStatus: 200,
				wantBody: []string{`"node_types":[]`, `"edge_types":[]`, `"indexes":[`, `"constraints":[]`},
			},
			{name: "node types", user: "reader", request: "GET /api/schema/nodes", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "edge types", user: "reader", request: "GET /api/schema/edges", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "unknown parameter", user: "reader", request: "GET /api/schema?type=x", wantStatus: 400, wantBody: []string{`"field":"type"`}},
			{
				name: "no writing", user: "reader", request: "PUT /api/schema", body: "{}", wantStatus: 405, wantCode: "METHOD_NOT_ALLOWED",
				wantHeaders: []string{"Allow", "GET, HEAD"},
			},
		},
	))
}

func TestSessionConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann")
	const wrong = `{"username":"ann","password":"wrong horse battery"}`
	login := `{"username":"ann","password":"` + password + `"}`
	runSteps(t, srv, []step{
		{
			name: "login", request: "POST /api/auth/login", body: login, wantStatus: 200,
			wantBody:  []string{`{"access_token":"`, `"token_type":"bearer","expires_in":3600}`},
			notInBody: []string{"data", "meta"}, wantHeaders: []string{"Cache-Control", "no-store"},
		},
		{
			name: "login and who that is", request: "POST /api/auth/login?me=true", body: login, wantStatus: 200,
			wantBody: []string{`"expires_in":3600,"me":{`, `"username":"ann"`}, notInBody: []string{"data", "meta", "0001-01-01"},
		},
		{name: "neither true nor false", request: "POST /api/auth/login?me=1", body: login, wantStatus: 400, wantBody: []string{`"me"`}},
		{
			name: "wrong password", request: "POST /api/auth/login", body: wrong, wantStatus: 401, wantCode: "INVALID_CREDENTIALS",
			wantHeaders: []string{"WWW-Authenticate", "Bearer", "Cache-Control", "no-store"},
		},
		{
			name: "wrong name", request: "POST /api/auth/login", body: `{"username":"bob","password":"wrong horse battery"}`, wantStatus: 401,
			wantCode: "INVALID_CREDENTIALS",
		},
		{name: "nothing", request: "POST /api/auth/login", body: `{}`, wantStatus: 400, wantBody: []string{`"username"`, `"password"`}},
		{
			name: "as a form", request: "POST /api/auth/login", body: "username=ann",
			header: []string{"Content-Type", "application/x-www-form-urlencoded"}, wantStatus: 415,
		},
		{name: "by GET", request: "GET /api/auth/login", wantStatus: 405, wantHeaders: []string{"Allow", "POST"}},
		{
			name: "me", user: "ann", request: "GET /api/auth/me", wantStatus: 200,
			wantBody: []string{
				`"username":"ann","permissions":[],"roles":[],"effective":{"node":[],"edge":[]},"admin":false,"expires_at":"20`,
				`"self_approval":false`,
			},
		},
		{name: "me, unauthenticated", request: "GET /api/auth/me", wantStatus: 401, wantCode: "UNAUTHENTICATED"},
	})
	runSteps(t, srv, []step{
		{
			name: "wrong current password", user: "ann", request: "PUT /api/auth/password",
			body: `{"current_password":"wrong horse battery","new_password":"another horse battery"}`, wantStatus: 401,
			wantCode: "INVALID_CREDENTIALS",
		},
		{
			name: "short new password", user: "ann", request: "PUT /api/auth/password",
			body: `{"current_password":"` + password + `","new_password":"short"}`, wantStatus: 400,
			wantBody: []string{`"field":"new_password"`, "12"},
		},
		{
			name: "logout with a body that is no JSON", user: "ann", request: "POST /api/auth/logout", body: "<>",
			header: []string{"Content-Type", "text/html"}, wantStatus: 200, wantBody: []string{`"revoked":true`},
		},
		{
			name: "the token is refused from now on", user: "ann", request: "GET /api/auth/me", wantStatus: 401, wantCode: "TOKEN_REVOKED",
			wantHeaders: []string{"WWW-Authenticate", `error="invalid_token"`},
		},
		{name: "also for logging out", user: "ann", request: "POST /api/auth/logout", wantStatus: 401, wantCode: "TOKEN_REVOKED"},
	})
	srv.forgetToken("ann")
	runSteps(t, srv, []step{
		{
			name: "change the password", user: "ann", request: "PUT /api/auth/password",
			body: `{"current_password":"` + password + `","new_password":"another horse battery"}`, wantStatus: 200,
			wantBody: []string{`"changed":true`},
		},
		{name: "which ends the token", user: "ann", request: "GET /api/auth/me", wantStatus: 401, wantCode: "TOKEN_REVOKED"},
		{name: "the old password is wrong", request: "POST /api/auth/login", body: login, wantStatus: 401, wantCode: "INVALID_CREDENTIALS"},
		{
			name: "the new one is right", request: "POST /api/auth/login", body: `{"username":"ann","password":"another horse battery"}`,
			wantStatus: 200,
		},
	})
}

func TestUserConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	const bob = `{"username":"bob","password":"` + password + `","permissions":["edit","read"],"rate_limit":5000}`
	runSteps(t, srv, slices.Concat(
		deniedCases("GET /api/admin/users", "", "administrators", "ann"),
		deniedCases("POST /api/admin/users", bob, "administrators", "ann"),
		deniedCases("GET /api/admin/users/root", "", "administrators", "ann"),
		deniedCases("GET /api/admin/users/nobody", "", "administrators", "ann"),
		deniedCases("PUT /api/admin/users/ann", `{"admin":true}`, "administrators", "ann"),
		deniedCases("PATCH /api/admin/users/ann", `{"admin":true}`, "administrators", "ann"),
		deniedCases("DELETE /api/admin/users/root", "", "administrators", "ann"),
		[]step{
			{
				name: "create", user: "root", request: "POST /api/admin/users", body: bob, wantStatus: 201,
				wantHeaders: []string{"Location", "/api/admin/users/bob"},
				wantBody: []string{
					`"username":"bob","permissions":["read","edit"],"admin":false,"disabled":false,"rate_limit":5000,"roles":[],"attributes":{},`,
					`"created_at":"20`,
				}, notInBody: []string{"password", "hash"},
			},
			{name: "create again", user: "root", request: "POST /api/admin/users", body: bob, wantStatus: 409, wantCode: "CONFLICT"},
			{
				name: "create with every problem", user: "root", request: "POST /api/admin/users",
				body: `{"username":"","password":"short","permissions":["fly"],"is_admin":true,"rate_limit":0}`, wantStatus: 400,
				wantBody: []string{`"username"`, `"password"`, `"permissions"`, `"is_admin"`, `"rate_limit"`},
			},
			{
				name: "list", user: "root", request: "GET /api/admin/users?limit=2", wantStatus: 200,
				wantBody: []string{`"ann"`, `"bob"`, `"has_more":true`, `"total":3`}, notInBody: []string{`"root"`, "hash"},
				save: "cursor=meta.page.next_cursor",
			},
			{
				name: "the rest of the list", user: "root", request: "GET /api/admin/users?limit=2&cursor={cursor}", wantStatus: 200,
				wantBody: []string{`"root"`, `"offset":2,"has_more":false`}, notInBody: []string{`"ann"`},
			},
			{
				name: "list from an offset", user: "root", request: "GET /api/admin/users?offset=2", wantStatus: 200, wantBody: []string{`"root"`},
				notInBody: []string{`"ann"`},
			},
			{
				name: "list beyond the end", user: "root", request: "GET /api/admin/users?offset=99999999999", wantStatus: 200,
				wantBody: []string{`"data":[]`},
			},
			{name: "read", user: "root", request: "GET /api/admin/users/bob", wantStatus: 200, wantBody: []string{`"username":"bob"`}},
			{name: "missing", user: "root", request: "GET /api/admin/users/nobody", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "missing with NUL", user: "root", request: "GET /api/admin/users/%00", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "bob reads", user: "bob", request: "GET /api/nodes", wantStatus: 200,
				wantHeaders: []string{"X-RateLimit-Limit", "5000", "RateLimit-Policy", `"user";q=5000;w=3600`},
			},
			{
				name: "update", user: "root", request: "PUT /api/admin/users/bob", body: `{"permissions":["create"],"rate_limit":null}`,
				wantStatus: 200, wantBody: []string{`"permissions":["create"]`, `"rate_limit":null`},
			},
			{
				name: "which counts at once", user: "bob", request: "GET /api/nodes", wantStatus: 403, wantCode: "PERMISSION_DENIED",
				wantHeaders: []string{"RateLimit-Policy", `"default"`},
			},
			{
				name: "unknown permission", user: "root", request: "PATCH /api/admin/users/bob", body: `{"permissions":["READ"]}`, wantStatus: 400,
				wantBody: []string{`"permissions"`},
			},
			{
				name: "a name does not change", user: "root", request: "PUT /api/admin/users/bob", body: `{"username":"rob"}`, wantStatus: 400,
				wantBody: []string{`"username"`},
			},
			{name: "update of nobody", user: "root", request: "PUT /api/admin/users/nobody", body: `{}`, wantStatus: 404},
			{
				name: "disable", user: "root", request: "PUT /api/admin/users/bob", body: `{"disabled":true}`, wantStatus: 200,
				wantBody: []string{`"disabled":true`},
			},
			{name: "the token is refused at once", user: "bob", request: "GET /api/auth/me", wantStatus: 401, wantCode: "TOKEN_REVOKED"},
			{
				name: "delete", user: "root", request: "DELETE /api/admin/users/bob", wantStatus: 200,
				wantBody: []string{`"data":{"username":"bob","deleted":true}`},
			},
			{name: "gone", user: "root", request: "DELETE /api/admin/users/bob", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "the last administrator stays", user: "root", request: "DELETE /api/admin/users/root", wantStatus: 409, wantCode: "CONFLICT"},
			{
				name: "and stays administrator", user: "root", request: "PUT /api/admin/users/root", body: `{"admin":false}`, wantStatus: 409,
				wantCode: "CONFLICT",
			},
			{
				name: "and enabled", user: "root", request: "PUT /api/admin/users/root", body: `{"disabled":true}`, wantStatus: 409,
				wantCode: "CONFLICT",
			},
			{name: "users are no nodes", user: "root", request: "GET /api/nodes", wantStatus: 200, wantBody: []string{`"data":[]`}},
		},
	))
}
