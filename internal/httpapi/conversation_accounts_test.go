package httpapi_test

import (
	"slices"
	"testing"

	"graphrest/internal/auth"
)

func TestSchemaConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	talk(t, w, slices.Concat(
		refused("GET /api/schema", "", "read", "writer"),
		refused("GET /api/schema/nodes", "", "read", "writer"),
		refused("GET /api/schema/edges", "", "read", "writer"),
		[]step{
			{says: "of an empty graph", as: "reader", do: "GET /api/schema", status: 200, has: []string{`"node_types":[]`, `"edge_types":[]`, `"indexes":[`, `"constraints":[]`}},
			{says: "node types", as: "reader", do: "GET /api/schema/nodes", status: 200, has: []string{`"data":[]`}},
			{says: "edge types", as: "reader", do: "GET /api/schema/edges", status: 200, has: []string{`"data":[]`}},
			{says: "unknown parameter", as: "reader", do: "GET /api/schema?type=x", status: 400, has: []string{`"field":"type"`}},
			{says: "no writing", as: "reader", do: "PUT /api/schema", body: "{}", status: 405, code: "METHOD_NOT_ALLOWED", heads: []string{"Allow", "GET, HEAD"}},
		},
	))
}

func TestSessionConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "ann")
	const wrong = `{"username":"ann","password":"wrong horse battery"}`
	login := `{"username":"ann","password":"` + password + `"}`
	talk(t, w, []step{
		{
			says: "login", do: "POST /api/auth/login", body: login, status: 200, has: []string{`{"access_token":"`, `"token_type":"bearer","expires_in":3600}`},
			lacks: []string{"data", "meta"}, heads: []string{"Cache-Control", "no-store"},
		},
		{says: "wrong password", do: "POST /api/auth/login", body: wrong, status: 401, code: "INVALID_CREDENTIALS", heads: []string{"WWW-Authenticate", "Bearer", "Cache-Control", "no-store"}},
		{says: "wrong name", do: "POST /api/auth/login", body: `{"username":"bob","password":"wrong horse battery"}`, status: 401, code: "INVALID_CREDENTIALS"},
		{says: "nothing", do: "POST /api/auth/login", body: `{}`, status: 400, has: []string{`"username"`, `"password"`}},
		{says: "as a form", do: "POST /api/auth/login", body: "username=ann", header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415},
		{says: "by GET", do: "GET /api/auth/login", status: 405, heads: []string{"Allow", "POST"}},
		{says: "me", as: "ann", do: "GET /api/auth/me", status: 200, has: []string{`"username":"ann","permissions":[],"admin":false,"expires_at":"20`}},
		{says: "me, unauthenticated", do: "GET /api/auth/me", status: 401, code: "UNAUTHENTICATED"},
	})
	talk(t, w, []step{
		{says: "wrong current password", as: "ann", do: "PUT /api/auth/password", body: `{"current_password":"wrong horse battery","new_password":"another horse battery"}`, status: 401, code: "INVALID_CREDENTIALS"},
		{says: "short new password", as: "ann", do: "PUT /api/auth/password", body: `{"current_password":"` + password + `","new_password":"short"}`, status: 400, has: []string{`"field":"new_password"`, "12"}},
		{says: "logout with a body that is no JSON", as: "ann", do: "POST /api/auth/logout", body: "<>", header: []string{"Content-Type", "text/html"}, status: 200, has: []string{`"revoked":true`}},
		{says: "the token is refused from now on", as: "ann", do: "GET /api/auth/me", status: 401, code: "TOKEN_REVOKED", heads: []string{"WWW-Authenticate", `error="invalid_token"`}},
		{says: "also for logging out", as: "ann", do: "POST /api/auth/logout", status: 401, code: "TOKEN_REVOKED"},
	})
	w.forget("ann")
	talk(t, w, []step{
		{says: "change the password", as: "ann", do: "PUT /api/auth/password", body: `{"current_password":"` + password + `","new_password":"another horse battery"}`, status: 200, has: []string{`"changed":true`}},
		{says: "which ends the token", as: "ann", do: "GET /api/auth/me", status: 401, code: "TOKEN_REVOKED"},
		{says: "the old password is wrong", do: "POST /api/auth/login", body: login, status: 401, code: "INVALID_CREDENTIALS"},
		{says: "the new one is right", do: "POST /api/auth/login", body: `{"username":"ann","password":"another horse battery"}`, status: 200},
	})
}

func TestUserConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "ann", auth.AllPermissions()...)
	const bob = `{"username":"bob","password":"` + password + `","permissions":["edit","read"],"rate_limit":5000}`
	talk(t, w, slices.Concat(
		refused("GET /api/admin/users", "", "administrators", "ann"),
		refused("POST /api/admin/users", bob, "administrators", "ann"),
		refused("GET /api/admin/users/root", "", "administrators", "ann"),
		refused("GET /api/admin/users/nobody", "", "administrators", "ann"),
		refused("PUT /api/admin/users/ann", `{"admin":true}`, "administrators", "ann"),
		refused("PATCH /api/admin/users/ann", `{"admin":true}`, "administrators", "ann"),
		refused("DELETE /api/admin/users/root", "", "administrators", "ann"),
		[]step{
			{
				says: "create", as: "root", do: "POST /api/admin/users", body: bob, status: 201, heads: []string{"Location", "/api/admin/users/bob"},
				has: []string{`"username":"bob","permissions":["read","edit"],"admin":false,"disabled":false,"rate_limit":5000,"created_at":"20`}, lacks: []string{"password", "hash"},
			},
			{says: "create again", as: "root", do: "POST /api/admin/users", body: bob, status: 409, code: "CONFLICT"},
			{
				says: "create with every mistake", as: "root", do: "POST /api/admin/users", body: `{"username":"","password":"short","permissions":["fly"],"is_admin":true,"rate_limit":0}`, status: 400,
				has: []string{`"username"`, `"password"`, `"permissions"`, `"is_admin"`, `"rate_limit"`},
			},
			{says: "list", as: "root", do: "GET /api/admin/users?limit=2", status: 200, has: []string{`"ann"`, `"bob"`, `"has_more":true`, `"total":3`}, lacks: []string{`"root"`, "hash"}, keep: "cursor=meta.page.next_cursor"},
			{says: "the rest of the list", as: "root", do: "GET /api/admin/users?limit=2&cursor={cursor}", status: 200, has: []string{`"root"`, `"offset":2,"has_more":false`}, lacks: []string{`"ann"`}},
			{says: "list from an offset", as: "root", do: "GET /api/admin/users?offset=2", status: 200, has: []string{`"root"`}, lacks: []string{`"ann"`}},
			{says: "list beyond the end", as: "root", do: "GET /api/admin/users?offset=99999999999", status: 200, has: []string{`"data":[]`}},
			{says: "read", as: "root", do: "GET /api/admin/users/bob", status: 200, has: []string{`"username":"bob"`}},
			{says: "missing", as: "root", do: "GET /api/admin/users/nobody", status: 404, code: "NOT_FOUND"},
			{says: "missing with NUL", as: "root", do: "GET /api/admin/users/%00", status: 404, code: "NOT_FOUND"},
			{says: "bob reads", as: "bob", do: "GET /api/nodes", status: 200, heads: []string{"X-RateLimit-Limit", "5000", "RateLimit-Policy", `"user";q=5000;w=3600`}},
			{says: "update", as: "root", do: "PUT /api/admin/users/bob", body: `{"permissions":["create"],"rate_limit":null}`, status: 200, has: []string{`"permissions":["create"]`, `"rate_limit":null`}},
			{says: "which counts at once", as: "bob", do: "GET /api/nodes", status: 403, code: "PERMISSION_DENIED", heads: []string{"RateLimit-Policy", `"default"`}},
			{says: "unknown permission", as: "root", do: "PATCH /api/admin/users/bob", body: `{"permissions":["READ"]}`, status: 400, has: []string{`"permissions"`}},
			{says: "a name does not change", as: "root", do: "PUT /api/admin/users/bob", body: `{"username":"rob"}`, status: 400, has: []string{`"username"`}},
			{says: "update of nobody", as: "root", do: "PUT /api/admin/users/nobody", body: `{}`, status: 404},
			{says: "disable", as: "root", do: "PUT /api/admin/users/bob", body: `{"disabled":true}`, status: 200, has: []string{`"disabled":true`}},
			{says: "the token is refused at once", as: "bob", do: "GET /api/auth/me", status: 401, code: "TOKEN_REVOKED"},
			{says: "delete", as: "root", do: "DELETE /api/admin/users/bob", status: 200, has: []string{`"data":{"username":"bob","deleted":true}`}},
			{says: "gone", as: "root", do: "DELETE /api/admin/users/bob", status: 404, code: "NOT_FOUND"},
			{says: "the last administrator stays", as: "root", do: "DELETE /api/admin/users/root", status: 409, code: "CONFLICT"},
			{says: "and stays administrator", as: "root", do: "PUT /api/admin/users/root", body: `{"admin":false}`, status: 409, code: "CONFLICT"},
			{says: "and enabled", as: "root", do: "PUT /api/admin/users/root", body: `{"disabled":true}`, status: 409, code: "CONFLICT"},
			{says: "users are no nodes", as: "root", do: "GET /api/nodes", status: 200, has: []string{`"data":[]`}},
		},
	))
}
