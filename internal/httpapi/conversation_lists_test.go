package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

func TestListOptionsConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.db.Exec(t,
		`CREATE (a:Person {name: 'Ann', born: 1960, `+"`x,y`"+`: 1}), (b:Person {name: 'Bob', born: 1970}), (c:Film {name: 'Heat', year: 1995})
		CREATE (a)-[:ACTED_IN {role: 'lead', pay: 2.5}]->(c), (b)-[:ACTED_IN {role: 'extra'}]->(c)`, nil)
	ann := srv.db.Query(t, "MATCH (n {name: 'Ann'}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	runSteps(t, srv, []step{
		{
			name: "only some properties", user: "reader", request: "GET /api/nodes?type=Person&fields=born", wantStatus: 200,
			wantBody: []string{`"properties":{"born":1960}`}, notInBody: []string{"name"},
		},
		{
			name: "a name with a comma", user: "reader", request: `GET /api/nodes?type=Person&fields=%5B%22x,y%22%5D`, wantStatus: 200,
			wantBody: []string{`"properties":{"x,y":1}`, `"properties":{}`},
		},
		{name: "an empty name", user: "reader", request: "GET /api/nodes?fields=", wantStatus: 400, wantBody: []string{`"field":"fields"`}},
		{name: "no total unasked", user: "reader", request: "GET /api/nodes?limit=1", wantStatus: 200, notInBody: []string{"total"}},
		{name: "the total", user: "reader", request: "GET /api/nodes?limit=1&count=exact", wantStatus: 200, wantBody: []string{`"total":3`}},
		{
			name: "the total of a type", user: "reader", request: "GET /api/nodes?limit=1&type=Person&count=exact", wantStatus: 200,
			wantBody: []string{`"total":2`},
		},
		{name: "no other count", user: "reader", request: "GET /api/nodes?count=true", wantStatus: 400, wantBody: []string{`"field":"count"`}},
		{
			name: "edges too", user: "reader", request: "GET /api/edges?limit=1&count=exact&fields=pay", wantStatus: 200,
			wantBody: []string{`"total":2`}, notInBody: []string{"role"},
		},
		{
			name: "those of a node too", user: "reader", request: "GET /api/nodes/" + ann + "/edges?count=exact&fields=role", wantStatus: 200,
			wantBody: []string{`"total":1`, `"properties":{"role":"lead"}`},
		},
	})
}
