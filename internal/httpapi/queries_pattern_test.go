package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

// A saved query may be a pattern, which runs with the rights of its caller.
func TestSavedPatternConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "ann", auth.Read, auth.Query)
	srv.userByPermissions(t, "bob", auth.Query)
	withRole(t, srv, "cid", `[{"kind":"node","type":"Person","actions":["read"],"where":{"n":{"lt":2}},"hidden":["salary"]}]`)
	srv.db.Exec(t, "CREATE (:Person {name: 'Ann', n: 1, salary: 7}), (:Person {name: 'Ben', n: 2, salary: 8})", nil)
	const saved = `{"name":"people","pattern":{"match":[[{"as":"p","type":"Person","filter":{"name":{"starts_with":{"$param":"begin"}}}}]],` +
		`"columns":["p.name","p.salary"],"sort":["p.name"]},"parameters":{"begin":{"type":"string","default":""}}}`
	const names = `"pattern":{"match":[[{"as":"p","type":"Person"}]],"columns":["p.name"],"sort":["p.name"]}}`
	save := func(name, body string, status int, wantBody ...string) step {
		return step{name: name, user: "root", request: "POST " + savedQueries, body: body, wantStatus: status, wantBody: wantBody}
	}
	runSteps(t, srv, []step{
		save("both", `{"name":"x","cypher":"RETURN 1","pattern":{}}`, 400, `"field":"pattern"`),
		save("a mistake", `{"name":"x","pattern":{"match":[[{"as":"p"}]]}}`, 400, `"field":"pattern.match[0]"`),
		save("no such parameter", `{"name":"x","pattern":{"match":[[{"as":"p","type":"P","filter":{"x":{"eq":{"$param":"y"}}}}]]}}`, 400,
			`"field":"pattern.match[0][0].filter.x"`),
		save("no value fits", `{"name":"x","pattern":{"match":[[{"as":"p","type":"P","filter":{"v":{"contains":{"$param":"ex"}}}}]]},`+
			`"parameters":{"ex":{"type":"integer"}}}`, 400,
			`"field":"pattern.match[0][0].filter.v"`, `contains: the parameter ex has the wrong type: its value must be a text`),
		save("any value", `{"name":"any","pattern":{"match":[[{"as":"p","type":"P","filter":{"v":{"contains":{"$param":"ex"}}}}]]},`+
			`"parameters":{"ex":{}}}`, 201),
		{
			name: "a value that does not fit, in the URL", user: "ann", request: "GET /api/queries/any/run?ex=1", wantStatus: 400,
			wantBody: []string{`"field":"ex"`, `must be a text`},
		},
		{
			name: "and in a body", user: "ann", request: "POST /api/queries/any/run", body: `{"parameters":{"ex":1}}`, wantStatus: 400,
			wantBody: []string{`"field":"parameters.ex"`, `must be a text`},
		},
		save("saved", saved, 201, `"pattern":{"columns":["p.name","p.salary"],"match":`, `{"$param":"begin"}`, `"columns":["p.name","p.salary"]`),
		{
			name: "all", user: "ann", request: "GET /api/queries/people/run", wantStatus: 200,
			wantBody: []string{`"rows":[["Ann",7],["Ben",8]]`, `"version":1`, `"has_more":false`},
		},
		{
			name: "some", user: "ann", request: "GET /api/queries/people/run?begin=B", wantStatus: 200, wantBody: []string{`"rows":[["Ben",8]]`},
		},
		save("few rows", `{"name":"first","max_rows":1,`+names, 201),
		{
			name: "cut by rows", user: "ann", request: "GET /api/queries/first/run", wantStatus: 200,
			wantBody: []string{`"rows":[["Ann"]]`, `"truncated":"rows"`},
		},
		save("few bytes", `{"name":"short","max_bytes":2,`+names, 201),
		{
			name: "cut by bytes", user: "ann", request: "GET /api/queries/short/run", wantStatus: 200,
			wantBody: []string{`"rows":[["Ann"]]`, `"truncated":"bytes"`},
		},
		save("undeclared", `{"name":"lost","cypher":"RETURN $zz AS one, $n AS n","parameters":{"n":{"type":"integer"}}}`, 400,
			`"field":"cypher"`, `uses $zz, which is not in parameters`),
		{name: "without read", user: "bob", request: "GET /api/queries/people/run", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{
			name: "a role with the query", user: "root", request: "POST /api/admin/roles", wantStatus: 201,
			body: `{"name":"runs_people","grants":[],"queries":["people"]}`,
		},
		{
			name: "given", user: "root", request: "PATCH /api/admin/users/cid", body: `{"roles":["role of cid","runs_people"]}`, wantStatus: 200,
		},
		{
			name: "with rules", user: "cid", request: "GET /api/queries/people/run", wantStatus: 200, wantBody: []string{`"rows":[["Ann",null]]`},
		},
	})
}
