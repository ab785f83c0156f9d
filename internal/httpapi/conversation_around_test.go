package httpapi_test

import (
	"strings"
	"testing"

	"graphrest/internal/auth"
)

func TestAroundConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create)
	srv.db.Exec(t,
		`CREATE (a:Person {name: 'Ann'})-[:KNOWS {since: 1}]->(b:Person {name: 'Bob'})-[:LIVES_IN]->(c:City {name: 'Ulm'}), (a)-[:KNOWS]->(a)
		CREATE (a)-[:KNOWS]->(:_GraphrestUser {name: 'secret'})-[:KNOWS]->(c)`, nil)
	id := func(name string) string {
		return srv.db.Query(t, "MATCH (n {name: $name}) RETURN elementId(n) AS id", map[string]any{"name": name})[0]["id"].(string)
	}
	a, c, secret := id("Ann"), id("Ulm"), id("secret")
	runSteps(t, srv, []step{
		{
			name: "the degree", user: "reader", request: "GET /api/nodes/" + a + "/degree", wantStatus: 200, notInBody: []string{"_Graphrest"},
			wantBody: []string{`"total":2,"out":2,"in":1,"counts":[{"edge_type":"KNOWS","direction":"out","node_type":"Person","count":2}`},
		},
		{
			name: "neighbors", user: "reader", request: "GET /api/nodes/" + a + "/neighbors", wantStatus: 200,
			wantBody: []string{`{"nodes":[{"id":"` + a, "Bob", `"paths":[],"truncated":false`}, notInBody: []string{"Ulm", "secret"},
		},
		{
			name: "two steps out", user: "reader", request: "GET /api/nodes/" + a + "/neighbors?depth=2&direction=out", wantStatus: 200,
			wantBody: []string{"Bob", "Ulm"}, notInBody: []string{"secret"},
		},
		{
			name: "of a type", user: "reader", request: "GET /api/nodes/" + c + "/neighbors?depth=3&edge_type=LIVES_IN&node_type=Person",
			wantStatus: 200, wantBody: []string{"Bob"}, notInBody: []string{"Ann", "KNOWS"},
		},
		{
			name: "cut", user: "reader", request: "GET /api/nodes/" + a + "/neighbors?depth=2&limit=1", wantStatus: 200,
			wantBody: []string{`"truncated":true`},
		},
		{
			name: "a path", user: "reader", request: "GET /api/paths?source_id=" + a + "&target_id=" + c, wantStatus: 200,
			wantBody: []string{`"paths":[["` + a + `","5:`, c + `"]]`}, notInBody: []string{"secret"},
		},
		{
			name: "no path", user: "reader", request: "GET /api/paths?source_id=" + c + "&target_id=" + a + "&direction=out", wantStatus: 200,
			wantBody: []string{`{"nodes":[],"edges":[],"paths":[],"truncated":false}`},
		},
		{
			name: "an end that is not there", user: "reader", request: "GET /api/paths?source_id=" + c + "&target_id=nothing", wantStatus: 404,
			wantCode: "NOT_FOUND", wantBody: []string{`"field":"target_id"`},
		},
		{
			name: "an internal end", user: "reader", request: "GET /api/paths?source_id=" + secret + "&target_id=" + c, wantStatus: 404,
			wantCode: "NOT_FOUND", wantBody: []string{`"field":"source_id"`},
		},
		{
			name: "no ends", user: "reader", request: "GET /api/paths", wantStatus: 400, wantCode: "VALIDATION_ERROR",
			wantBody: []string{`"field":"source_id"`, `"field":"target_id"`},
		},
		{
			name: "wrong values", user: "reader",
			request: "GET /api/paths?source_id=&target_id=x&max_depth=13&all=yes&direction=up&edge_type=_graphrestX", wantStatus: 400,
			wantBody: []string{`"field":"source_id"`, `"field":"max_depth"`, `"field":"all"`, `"field":"direction"`, `"field":"edge_type"`},
		},
		{
			name: "wrong limits", user: "reader", request: "GET /api/nodes/" + a + "/neighbors?depth=4&limit=0&max_degree=10001", wantStatus: 400,
			wantBody: []string{`"field":"depth"`, `"field":"limit"`, `"field":"max_degree"`},
		},
		{name: "nothing around nothing", user: "reader", request: "GET /api/nodes/nothing/neighbors", wantStatus: 404, wantCode: "NOT_FOUND"},
		{name: "no degree of nothing", user: "reader", request: "GET /api/nodes/nothing/degree", wantStatus: 404, wantCode: "NOT_FOUND"},
		{
			name: "an unknown parameter", user: "reader", request: "GET /api/nodes/" + a + "/degree?limit=1", wantStatus: 400,
			wantBody: []string{`"field":"limit"`},
		},
		{
			name: "edges among nodes", user: "reader", request: "POST /api/edges/among",
			body: `{"ids":["` + a + `","` + c + `","` + secret + `","nothing","\u0001"]}`, wantStatus: 200,
			wantBody: []string{`"type":"KNOWS"`, `"truncated":false}}`}, notInBody: []string{"LIVES_IN", secret, "Bookmark"},
		},
		{
			name: "edges among nodes, cut", user: "reader", request: "POST /api/edges/among",
			body: `{"ids":["` + a + `","` + id("Bob") + `"],"limit":1}`, wantStatus: 200,
			wantBody: []string{`"truncated":true}}`},
		},
		{
			name: "edges among nothing", user: "reader", request: "POST /api/edges/among",
			body: `{"ids":[],"types":[],"limit":0}`, wantStatus: 400, wantCode: "VALIDATION_ERROR",
			wantBody: []string{`"field":"ids"`, `"field":"types"`, `"field":"limit"`},
		},
		{
			name: "edges among no ids", user: "reader", request: "POST /api/edges/among",
			body: `{"ids":["a",""],"types":["_graphrestX"]}`, wantStatus: 400,
			wantBody: []string{`"field":"ids[1]"`, `"field":"types[0]"`},
		},
		{
			name: "edges among too many", user: "reader", request: "POST /api/edges/among",
			body: `{"ids":["a"` + strings.Repeat(`,"a"`, 2000) + `]}`, wantStatus: 400,
			wantBody: []string{`"field":"ids"`, "2000"},
		},
		{
			name: "no permission for edges among nodes", user: "writer", request: "POST /api/edges/among",
			body: `{"ids":["a"]}`, wantStatus: 403, wantCode: "PERMISSION_DENIED",
		},
		{name: "no permission", user: "writer", request: "GET /api/nodes/" + a + "/neighbors", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{name: "no permission for paths", user: "writer", request: "GET /api/paths", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{name: "no token", request: "GET /api/nodes/" + a + "/degree", wantStatus: 401, wantCode: "UNAUTHENTICATED"},
	})
}
