package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

func TestListOptionsConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.db.Exec(t, `CREATE (a:Person {name: 'Ann', born: 1960, `+"`x,y`"+`: 1}), (b:Person {name: 'Bob', born: 1970}), (c:Film {name: 'Heat', year: 1995})
		CREATE (a)-[:ACTED_IN {role: 'lead', pay: 2.5}]->(c), (b)-[:ACTED_IN {role: 'extra'}]->(c)`, nil)
	ann := w.db.Query(t, "MATCH (n {name: 'Ann'}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	talk(t, w, []step{
		{says: "only some properties", as: "reader", do: "GET /api/nodes?type=Person&fields=born", status: 200, has: []string{`"properties":{"born":1960}`}, lacks: []string{"name"}},
		{says: "a name with a comma", as: "reader", do: `GET /api/nodes?type=Person&fields=%5B%22x,y%22%5D`, status: 200, has: []string{`"properties":{"x,y":1}`, `"properties":{}`}},
		{says: "an empty name", as: "reader", do: "GET /api/nodes?fields=", status: 400, has: []string{`"field":"fields"`}},
		{says: "no total unasked", as: "reader", do: "GET /api/nodes?limit=1", status: 200, lacks: []string{"total"}},
		{says: "the total", as: "reader", do: "GET /api/nodes?limit=1&count=exact", status: 200, has: []string{`"total":3`}},
		{says: "the total of a type", as: "reader", do: "GET /api/nodes?limit=1&type=Person&count=exact", status: 200, has: []string{`"total":2`}},
		{says: "no other count", as: "reader", do: "GET /api/nodes?count=true", status: 400, has: []string{`"field":"count"`}},
		{says: "edges too", as: "reader", do: "GET /api/edges?limit=1&count=exact&fields=pay", status: 200, has: []string{`"total":2`}, lacks: []string{"role"}},
		{says: "those of a node too", as: "reader", do: "GET /api/nodes/" + ann + "/edges?count=exact&fields=role", status: 200, has: []string{`"total":1`, `"properties":{"role":"lead"}`}},
	})
}
