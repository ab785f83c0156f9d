package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"graphrest/internal/auth"
)

func TestSearchConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	w.user(t, "all", auth.AllPermissions()...)
	w.db.Exec(t, `CREATE (a:Airport {name: 'Ben Gurion', city: 'Tel Aviv'}), (b:Airport {name: 'Berlin "Brandenburg"'})
		CREATE (a)-[:FLIES_TO {note: 'to Berlin'}]->(b)`, nil)
	const indexes = "/api/admin/search-indexes"
	places := `{"name":"places","kind":"node","types":["Airport"],"properties":["name","city"]}`
	talk(t, w, slices.Concat(
		[]step{
			{says: "no index", as: "reader", do: "GET /api/search?q=berlin", status: 404, code: "NOT_FOUND", has: []string{"POST /api/admin/search-indexes"}},
			{says: "an empty list", as: "root", do: "GET " + indexes, status: 200, has: []string{`"data":[]`}},
		},
		refused("GET /api/search?q=x", "", "read", "writer"),
		refused("GET "+indexes, "", "administrators", "all"),
		refused("POST "+indexes, places, "administrators", "all"),
		refused("GET "+indexes+"/places", "", "administrators", "all"),
		refused("DELETE "+indexes+"/places", "", "administrators", "all"),
		[]step{
			{
				says: "create", as: "root", do: "POST " + indexes, body: places, status: 201, heads: []string{"Location", indexes + "/places"},
				has: []string{`"data":{"name":"places","kind":"node","types":["Airport"],"properties":["name","city"],"analyzer":"standard-no-stop-words","state":"`, `"managed":true`},
			},
			{says: "again", as: "root", do: "POST " + indexes, body: places, status: 409, code: "CONFLICT", has: []string{`"field":"name"`}},
			{says: "every mistake at once", as: "root", do: "POST " + indexes, body: `{"name":"a b","kind":"both","types":[],"properties":["x","x"],"analyzer":"","more":1}`, status: 400, code: "VALIDATION_ERROR", has: []string{`"field":"name"`, `"field":"kind"`, `"field":"types"`, `"field":"properties"`, `"field":"analyzer"`, `"field":"more"`}},
			{says: "nothing given", as: "root", do: "POST " + indexes, body: `{}`, status: 400, has: []string{`"field":"name"`, `"field":"kind"`, `"field":"types"`, `"field":"properties"`}},
			{says: "a reserved type", as: "root", do: "POST " + indexes, body: `{"name":"u","kind":"node","types":["_GraphREST_User"],"properties":["x"]}`, status: 400, has: []string{`"field":"types"`}},
			{says: "an unknown analyzer", as: "root", do: "POST " + indexes, body: `{"name":"u","kind":"node","types":["X"],"properties":["x"],"analyzer":"none"}`, status: 400, has: []string{`"field":"analyzer"`, "english"}},
			{says: "not there", as: "root", do: "GET " + indexes + "/nothing", status: 404, code: "NOT_FOUND"},
			{says: "no query parameter", as: "root", do: "GET " + indexes + "?limit=1", status: 400},
		},
	))
	w.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	talk(t, w, []step{
		{says: "read", as: "root", do: "GET " + indexes + "/places", status: 200, has: []string{`"state":"online","progress":100,"managed":true`}},
		{says: "the schema shows it", as: "reader", do: "GET /api/schema", status: 200, has: []string{`{"name":"places","kind":"FULLTEXT"`}},
		{says: "a hit", as: "reader", do: "GET /api/search?q=aviv", status: 200, has: []string{`"data":[{"kind":"node","score":`, `"matched":["city"],"node":{"id":"`, `"total":1`}, lacks: []string{"truncated", "Berlin"}},
		{says: "a page", as: "reader", do: "GET /api/search?q=b*&limit=1", status: 200, heads: []string{"Link", "/api/search?cursor="}, has: []string{`"has_more":true`, `"total":2`}, keep: "next=meta.page.next_cursor"},
		{says: "the next", as: "reader", do: "GET /api/search?q=b*&limit=1&cursor={next}", status: 200, heads: []string{"Link", ""}, has: []string{`"offset":1,"has_more":false`}},
		{says: "of another search", as: "reader", do: "GET /api/search?q=be*&cursor={next}", status: 400, has: []string{`"field":"cursor"`}},
		{says: "edges are in no index yet", as: "reader", do: "GET /api/search?q=berlin&kind=edge", status: 404},
		{says: "nothing found", as: "reader", do: "GET /api/search?q=nothing", status: 200, has: []string{`"data":[]`, `"total":0`}},
		{says: "no q", as: "reader", do: "GET /api/search", status: 400, has: []string{`"field":"q"`}},
		{says: "an empty q", as: "reader", do: "GET /api/search?q=", status: 400, has: []string{`"field":"q"`}},
		{says: "signs", as: "reader", do: "GET /api/search?q=%2B%2A%22", status: 400, has: []string{`"field":"q"`}},
		{says: "NUL", as: "reader", do: "GET /api/search?q=a%00b", status: 400, has: []string{`"field":"q"`}},
		{says: "a long q", as: "reader", do: "GET /api/search?q=" + strings.Repeat("a", 501), status: 400, has: []string{`"field":"q"`, "500 bytes"}},
		{says: "syntax", as: "reader", do: "GET /api/search?q=name%3Aberlin%20OR%20(", status: 200, has: []string{`"data":[]`}},
		{says: "mistakes", as: "reader", do: "GET /api/search?q=a&kind=&index=&property=a,,b&type=&limit=0&fields=x", status: 400, has: []string{`"field":"kind"`, `"field":"index"`, `"field":"property"`, `"field":"type"`, `"field":"limit"`, `"field":"fields"`}},
		{says: "no such index", as: "reader", do: "GET /api/search?q=a&index=places,none", status: 404, has: []string{`"field":"index"`}},
		{says: "no such property", as: "reader", do: "GET /api/search?q=a&property=none", status: 400, has: []string{`"field":"property"`}},
		{says: "delete", as: "root", do: "DELETE " + indexes + "/places", status: 200, has: []string{`"data":{"name":"places","deleted":true}`}},
		{says: "gone", as: "root", do: "DELETE " + indexes + "/places", status: 404, code: "NOT_FOUND"},
	})
}
