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

	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jquery"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
)

// newQueries opens the doors to queries and patterns, with separate connections.
func newQueries(t testing.TB, s *stores, db *neo4jtest.DB) (*query.Service, *neo4jquery.Matcher) {
	t.Helper()
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close(context.Background())) })
	engine := neo4jquery.NewEngine(neo4jquery.EngineConfig{
		Client: client, Guard: queryguard.New(queryguard.Config{Client: client}), Answers: s.graph.Answers,
		Concurrency: 8, Timeout: 15 * time.Second,
	})
	matcher := engine.NewMatcher(s.graph.Matches)
	return query.NewService(neo4jquery.NewStore(s.client, s.audit, slog.New(slog.DiscardHandler)), engine, matcher, nil), matcher
}

const savedQueries = "/api/admin/queries"

// queryUsers creates ann, who may run every query, bob, who may run by_name by a role, con, who may use the console, and eve, who may
// only read.
func (srv *testServer) queryUsers(t *testing.T) {
	t.Helper()
	srv.userByPermissions(t, "ann", auth.Read, auth.Query)
	srv.userByPermissions(t, "bob")
	srv.userByPermissions(t, "con", auth.Console)
	srv.userByPermissions(t, "eve", auth.Read, auth.Create, auth.Edit, auth.Delete)
	r := srv.send(t, "root", "POST", "/api/admin/roles", `{"name":"namer","grants":[],"queries":["by_name","mine"]}`)
	require.Equal(t, http.StatusCreated, r.status, r.body)
	require.Contains(t, r.body, `"queries":["by_name","mine"]`)
	r = srv.send(t, "root", "PATCH", "/api/admin/users/bob", `{"roles":["namer"],"attributes":{"team":"blue"}}`)
	require.Equal(t, http.StatusOK, r.status, r.body)
}

func TestQueryConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.queryUsers(t)
	srv.db.Exec(t, `CREATE (a:Person {name: 'Ann', n: 1, born: date('2000-01-02')})-[:KNOWS {since: 1}]->(b:Person {name: 'Ben', n: 2})`, nil)
	const byName = `{"name":"by_name","description":"People by name",` +
		`"cypher":"MATCH (p:Person) WHERE p.name = $name RETURN p.name AS name, p.n AS n",` +
		`"parameters":{"name":{"type":"string","maxLength":10,"description":"whose"}}}`
	one := savedQueries + "/by_name"
	run := "/api/queries/by_name/run"
	runSteps(t, srv, slices.Concat(
		[]step{
			{name: "not by others", user: "ann", request: "GET " + savedQueries, wantStatus: 403, wantCode: "PERMISSION_DENIED"},
			{
				name: "nobody runs queries by default", user: "eve", request: "GET /api/queries",
				wantStatus: 403, wantCode: "PERMISSION_DENIED",
			},
			{
				name: "the administrator neither", user: "root", request: "GET /api/queries",
				wantStatus: 403, wantCode: "PERMISSION_DENIED",
			},
			{
				name: "all problems together", user: "root", request: "POST " + savedQueries, wantStatus: 400, wantCode: "VALIDATION_ERROR",
				body: `{"name":"By","cypher":" ","parameters":{"format":{},"x":{"type":"string","from":"$user.email"},"1":{}},"timeout":"1h",` +
					`"max_rows":50001,"max_bytes":0,"cache_seconds":-1,"allow":["all"],"y":1}`,
				wantBody: []string{
					`"name"`, `"cypher"`, `"parameters.format"`, `"parameters.x.from"`, `"parameters.1"`, `"timeout"`, `"max_rows"`, `"max_bytes"`,
					`"cache_seconds"`, `"allow[0]"`, `"y"`,
				},
			},
			{
				name: "nothing given", user: "root", request: "POST " + savedQueries, body: `{}`,
				wantStatus: 400, wantBody: []string{`"name"`, `"cypher"`},
			},
			{
				name: "a write", user: "root", request: "POST " + savedQueries, body: `{"name":"w","cypher":"CREATE (n:Person) RETURN n"}`,
				wantStatus: 422, wantCode: "QUERY_REJECTED",
			},
			{
				name: "no Cypher", user: "root", request: "POST " + savedQueries, body: `{"name":"w","cypher":"MATCH (n"}`,
				wantStatus: 400, wantCode: "VALIDATION_ERROR", wantBody: []string{`"cypher"`, "line 1"},
			},
			{
				name: "save", user: "root", request: "POST " + savedQueries, body: byName, wantStatus: 201,
				wantBody: []string{
					`"version":1`, `"columns":["name","n"]`, `"operators":[`, `"max_rows":1000`,
					`"max_bytes":16777216`, `"author":"root"`,
				},
			},
			{
				name: "the name is taken", user: "root", request: "POST " + savedQueries, body: byName,
				wantStatus: 409, wantCode: "CONFLICT",
			},
			{
				name: "read", user: "root", request: "GET " + one,
				wantStatus: 200, wantBody: []string{`"maxLength":10`, `"cypher_version":5`},
			},
			{name: "list", user: "root", request: "GET " + savedQueries, wantStatus: 200, wantBody: []string{`"name":"by_name"`}},
			{
				name: "what one may run", user: "bob", request: "GET /api/queries", wantStatus: 200,
				wantBody: []string{`"name":"by_name"`, `"description":"whose"`, `"columns":[{"name":"name"`},
			},
			{
				name: "run by a role", user: "bob", request: "GET " + run + "?name=Ann",
				wantStatus: 200, wantBody: []string{`"rows":[["Ann",1]]`, `"version":1`, `"elapsed_ms":`},
			},
			{
				name: "run by the permission", user: "ann", request: "GET " + run + "?name=Ben",
				wantStatus: 200, wantBody: []string{`"rows":[["Ben",2]]`},
			},
			{
				name: "run with a body", user: "ann", request: "POST " + run, body: `{"parameters":{"name":"Ben"}}`,
				wantStatus: 200, wantBody: []string{`"rows":[["Ben",2]]`},
			},
			{name: "not without", user: "eve", request: "GET " + run + "?name=Ann", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
			{
				name: "required", user: "ann", request: "GET " + run,
				wantStatus: 400, wantBody: []string{`"field":"name"`, "is required"},
			},
			{
				name: "too long", user: "ann", request: "GET " + run + "?name=ABCDEFGHIJK",
				wantStatus: 400, wantBody: []string{`"field":"name"`},
			},
			{name: "unknown", user: "ann", request: "GET " + run + "?name=a&x=1", wantStatus: 400, wantBody: []string{`"field":"x"`}},
			{
				name: "wrong type in a body", user: "ann", request: "POST " + run, body: `{"parameters":{"name":1,"y":2}}`, wantStatus: 400,
				wantBody: []string{`"field":"parameters.y"`},
			},
			{
				name: "CSV", user: "ann", request: "GET " + run + "?name=Ann&format=csv",
				wantStatus: 200, wantBody: []string{"name,n\nAnn,1\n"},
			},
			{
				name: "NDJSON", user: "ann", request: "GET " + run + "?name=Ann&format=ndjson",
				wantStatus: 200, wantBody: []string{`{"name":"Ann","n":1}`},
			},
			{
				name: "no format", user: "ann", request: "GET " + run + "?name=Ann&format=xml",
				wantStatus: 400, wantBody: []string{`"format"`},
			},
			{
				name: "another version", user: "root", request: "PUT " + one,
				body: `{"max_rows":1,"cypher":"MATCH (p:Person) RETURN p.n AS n ORDER BY n",` +
					`"parameters":{}}`,
				wantStatus: 200, wantBody: []string{`"version":2`, `"columns":["n"]`, `"description":"People by name"`},
			},
			{
				name: "counts at once, and says that it is cut", user: "ann", request: "GET " + run,
				wantStatus: 200, wantBody: []string{`"rows":[[1]]`, `"truncated":"rows"`, `"version":2`},
			},
			{
				name: "an old ETag", user: "root", request: "PUT " + one,
				body: `{"max_rows":2}`, header: []string{"If-Match", `"1"`},
				wantStatus: 412,
			},
			{
				name: "versions", user: "root", request: "GET " + one + "/versions",
				wantStatus: 200, wantBody: []string{`"version":2`, `"version":1`},
			},
			{
				name: "no such query to change", user: "root", request: "PUT " + savedQueries + "/none",
				body:       `{"cypher":"RETURN 1 AS x"}`,
				wantStatus: 404,
			},
			{
				name: "another name", user: "root", request: "PUT " + one, body: `{"name":"other"}`,
				wantStatus: 400, wantBody: []string{`"name"`},
			},
			{
				name: "not by a role", user: "root", request: "POST " + savedQueries,
				body:       `{"name":"other","cypher":"RETURN 1 AS x"}`,
				wantStatus: 201,
			},
			{name: "hidden", user: "bob", request: "GET /api/queries/other", wantStatus: 404},
			{
				name: "explained by the role", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
				body: `{"user":"bob","method":"POST","path":"` + run + `"}`,
				wantBody: []string{
					`"allowed":true`, `"decided_by":[{"role":"namer","grant":null,"reason":"its queries are by_name, mine"}]`,
				},
			},
			{
				name: "explained by the permission", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
				body:     `{"user":"ann","method":"GET","path":"/api/queries/other"}`,
				wantBody: []string{`"allowed":true`, `"decided_by":[{"role":null,"grant":null,"reason":"the permission query`},
			},
			{
				name: "explained as hidden", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
				body:     `{"user":"bob","method":"GET","path":"/api/queries/other"}`,
				wantBody: []string{`"allowed":false,"code":"NOT_FOUND"`, `no role of the user names other in its queries`},
			},
			{
				name: "explained as missing", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
				body:     `{"user":"ann","method":"GET","path":"/api/queries/none"}`,
				wantBody: []string{`"allowed":false,"code":"NOT_FOUND"`, `there is no saved query none`},
			},
			{
				name: "explained as not allowed", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
				body:     `{"user":"eve","method":"GET","path":"` + run + `"}`,
				wantBody: []string{`"allowed":false,"code":"PERMISSION_DENIED"`, `or a role whose queries name one`},
			},
			{name: "hidden to run", user: "bob", request: "GET /api/queries/other/run", wantStatus: 404},
			{
				name: "from the caller", user: "root", request: "POST " + savedQueries, wantStatus: 201,
				body: `{"name":"mine","cypher":"RETURN $me AS me, $team AS team, $none AS none",` +
					`"parameters":{"me":{"type":"string","from":"$user.username"},` +
					`"team":{"from":"$user.attributes.team"},"none":{"from":"$user.attributes.none"}}}`,
			},
			{
				name: "filled", user: "bob", request: "GET /api/queries/mine/run",
				wantStatus: 200, wantBody: []string{`["bob","blue",null]`},
			},
			{
				name: "in no schema", user: "bob", request: "GET /api/queries/mine",
				wantStatus: 200, wantBody: []string{`"parameters":{}`},
			},
			{
				name: "cannot be given", user: "bob", request: "GET /api/queries/mine/run?me=root",
				wantStatus: 400, wantBody: []string{`"field":"me"`},
			},
			{
				name: "nor in a body", user: "bob", request: "POST /api/queries/mine/run",
				body:       `{"parameters":{"me":"root"}}`,
				wantStatus: 400, wantBody: []string{`"field":"parameters.me"`},
			},
			{name: "delete", user: "root", request: "DELETE " + one, wantStatus: 200, wantBody: []string{`"deleted":true`}},
			{name: "gone", user: "ann", request: "GET " + run, wantStatus: 404},
			{name: "gone for administrators", user: "root", request: "GET " + one + "/versions", wantStatus: 404},
		},
	))
}

func TestConsoleConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.queryUsers(t)
	srv.db.Exec(t, `CREATE (a:Person {name: 'Ann', n: 1})-[:KNOWS {since: 1}]->(b:Person {name: 'Ben', n: 2})`, nil)
	body := func(text, more string) string { return fmt.Sprintf(`{"cypher":%q%s}`, text, more) }
	runSteps(t, srv, []step{
		{
			name: "not by the permission query", user: "ann", request: "POST /api/query", body: body("RETURN 1 AS x", ""),
			wantStatus: 403,
		},
		{
			name: "run", user: "con", request: "POST /api/query",
			body:       body("RETURN $x AS x, 2.0 AS y", `,"parameters":{"x":{"$type":"Date","_value":"2024-05-01"}}`),
			wantStatus: 200, wantBody: []string{`{"$type":"Date","_value":"2024-05-01"},2.0`, `"types":["Date"]`},
		},
		{
			name: "entities", user: "con", request: "POST /api/query",
			body:       body("MATCH p = (:Person {n: 1})-[r:KNOWS]->(b:Person) RETURN p, r, b", ""),
			wantStatus: 200, wantBody: []string{`"$path"`, `"$edge"`, `"$node"`, `"source_id"`},
		},
		{
			name: "a map with $", user: "con", request: "POST /api/query", body: body("RETURN {`$node`: 1} AS m", ""),
			wantStatus: 200, wantBody: []string{`{"$type":"Map","_value":{"$node":1}}`},
		},
		{
			name: "division by zero", user: "con", request: "POST /api/query", body: body("RETURN 1/0 AS x", ""),
			wantStatus: 400, wantCode: "VALIDATION_ERROR",
		},
		{
			name: "a failure by a parameter", user: "con", request: "POST /api/query",
			body: body("RETURN 1/$divisor AS x", `,"parameters":{"divisor":0}`), wantStatus: 400, wantCode: "VALIDATION_ERROR",
		},
		{
			name: "a write with a parameter", user: "con", request: "POST /api/query",
			body: body("CREATE (n:Person {a: $unwritten})", `,"parameters":{"unwritten":0}`), wantStatus: 422,
		},
		{
			name: "syntax", user: "con", request: "POST /api/query", body: body("RETURN 1 AS", ""),
			wantStatus: 400, wantCode: "VALIDATION_ERROR", wantBody: []string{"line 1"},
		},
		{
			name: "write", user: "con", request: "POST /api/query", body: body("CREATE (n:Person)", ""),
			wantStatus: 422, wantCode: "QUERY_REJECTED",
		},
		{
			name: "explain", user: "con", request: "POST /api/query",
			body: body("MATCH (p:Person) RETURN p.n AS n", `,"explain":true`), wantStatus: 200,
			wantBody: []string{`"accepted":true`, `"plan":{`, `"estimated_rows"`, `"columns":["n"]`},
		},
		{
			name: "explain of a refused one", user: "con", request: "POST /api/query",
			body: body("CREATE (n:Person)", `,"explain":true`), wantStatus: 200,
			wantBody: []string{`"accepted":false`, `"reasons":[{`},
		},
		{
			name: "rows are cut", user: "con", request: "POST /api/query",
			body:       body("UNWIND range(1, 1001) AS x RETURN x", ""),
			wantStatus: 200, wantBody: []string{`"truncated":"rows"`},
		},
		{
			name: "CSV says that it is cut", user: "con", request: "POST /api/query?format=csv",
			body: body("UNWIND range(1, 1001) AS x RETURN x", ""), wantStatus: 200,
			wantHeaders: []string{"Graphrest-Truncated", "rows"},
		},
	})
	srv.auditBuffer.Flush(t.Context())
	// A run that failed began nevertheless; what was refused did not.
	entries := srv.send(t, "root", "GET", "/api/admin/audit?action=run&user=con&limit=100", "").body
	require.Contains(t, entries, `"divisor"`)
	require.NotContains(t, entries, `"unwritten"`)
}

// TestWarningsTellNoNames: a warning about a name that the graph lacks is for those who may read all of it, and is never about a property
// that internal data may have.
func TestWarningsTellNoNames(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "console", auth.Console)
	srv.user(t, "admin")
	srv.user(t, "reader", auth.Read)
	for _, user := range []string{"admin", "reader"} {
		require.Equal(t, http.StatusOK, srv.send(t, "root", "PATCH", "/api/admin/users/"+user, `{"admin":true}`).status)
	}
	const text = "MATCH (a:Nowhere)-[:NEVER]->() RETURN a.vorname AS x, a.hash AS y"
	for user, sees := range map[string]bool{"admin": false, "reader": true} {
		r := srv.send(t, user, "POST", savedQueries, `{"name":"of_`+user+`","cypher":"`+text+`"}`)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		for _, name := range []string{": Nowhere)", ": NEVER)", ": vorname)"} {
			require.Equal(t, sees, strings.Contains(r.body, name), "%s: %s", user, name)
		}
		require.NotContains(t, r.body, "hash)", "no service token has been made")
	}
	r := srv.send(t, "console", "POST", "/api/query", `{"cypher":"`+text+`","explain":true}`)
	require.Contains(t, r.body, "name is: vorname")
	require.NotContains(t, r.body, "hash)")
	srv.requireOwnWords(t)
}
