package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

func TestAroundConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.user(t, "writer", auth.Create)
	w.db.Exec(t, `CREATE (a:Person {name: 'Ann'})-[:KNOWS {since: 1}]->(b:Person {name: 'Bob'})-[:LIVES_IN]->(c:City {name: 'Ulm'}), (a)-[:KNOWS]->(a)
		CREATE (a)-[:KNOWS]->(:_GraphrestUser {name: 'secret'})-[:KNOWS]->(c)`, nil)
	id := func(name string) string {
		return w.db.Query(t, "MATCH (n {name: $name}) RETURN elementId(n) AS id", map[string]any{"name": name})[0]["id"].(string)
	}
	a, c, secret := id("Ann"), id("Ulm"), id("secret")
	talk(t, w, []step{
		{
			says: "the degree", as: "reader", do: "GET /api/nodes/" + a + "/degree", status: 200, lacks: []string{"_Graphrest"},
			has: []string{`"total":2,"out":2,"in":1,"counts":[{"edge_type":"KNOWS","direction":"out","node_type":"Person","count":2}`},
		},
		{says: "neighbors", as: "reader", do: "GET /api/nodes/" + a + "/neighbors", status: 200, has: []string{`{"nodes":[{"id":"` + a, "Bob", `"paths":[],"truncated":false`}, lacks: []string{"Ulm", "secret"}},
		{says: "two steps out", as: "reader", do: "GET /api/nodes/" + a + "/neighbors?depth=2&direction=out", status: 200, has: []string{"Bob", "Ulm"}, lacks: []string{"secret"}},
		{says: "of a type", as: "reader", do: "GET /api/nodes/" + c + "/neighbors?depth=3&edge_type=LIVES_IN&node_type=Person", status: 200, has: []string{"Bob"}, lacks: []string{"Ann", "KNOWS"}},
		{says: "cut", as: "reader", do: "GET /api/nodes/" + a + "/neighbors?depth=2&limit=1", status: 200, has: []string{`"truncated":true`}},
		{says: "a path", as: "reader", do: "GET /api/paths?source_id=" + a + "&target_id=" + c, status: 200, has: []string{`"paths":[["` + a + `","5:`, c + `"]]`}, lacks: []string{"secret"}},
		{says: "no path", as: "reader", do: "GET /api/paths?source_id=" + c + "&target_id=" + a + "&direction=out", status: 200, has: []string{`{"nodes":[],"edges":[],"paths":[],"truncated":false}`}},
		{says: "an end that is not there", as: "reader", do: "GET /api/paths?source_id=" + c + "&target_id=nothing", status: 404, code: "NOT_FOUND", has: []string{`"field":"target_id"`}},
		{says: "an internal end", as: "reader", do: "GET /api/paths?source_id=" + secret + "&target_id=" + c, status: 404, code: "NOT_FOUND", has: []string{`"field":"source_id"`}},
		{says: "no ends", as: "reader", do: "GET /api/paths", status: 400, code: "VALIDATION_ERROR", has: []string{`"field":"source_id"`, `"field":"target_id"`}},
		{says: "wrong values", as: "reader", do: "GET /api/paths?source_id=&target_id=x&max_depth=13&all=yes&direction=up&edge_type=_graphrestX", status: 400, has: []string{`"field":"source_id"`, `"field":"max_depth"`, `"field":"all"`, `"field":"direction"`, `"field":"edge_type"`}},
		{says: "wrong limits", as: "reader", do: "GET /api/nodes/" + a + "/neighbors?depth=4&limit=0&max_degree=10001", status: 400, has: []string{`"field":"depth"`, `"field":"limit"`, `"field":"max_degree"`}},
		{says: "nothing around nothing", as: "reader", do: "GET /api/nodes/nothing/neighbors", status: 404, code: "NOT_FOUND"},
		{says: "no degree of nothing", as: "reader", do: "GET /api/nodes/nothing/degree", status: 404, code: "NOT_FOUND"},
		{says: "an unknown parameter", as: "reader", do: "GET /api/nodes/" + a + "/degree?limit=1", status: 400, has: []string{`"field":"limit"`}},
		{says: "no permission", as: "writer", do: "GET /api/nodes/" + a + "/neighbors", status: 403, code: "PERMISSION_DENIED"},
		{says: "no permission for paths", as: "writer", do: "GET /api/paths", status: 403, code: "PERMISSION_DENIED"},
		{says: "no token", do: "GET /api/nodes/" + a + "/degree", status: 401, code: "UNAUTHENTICATED"},
	})
}
