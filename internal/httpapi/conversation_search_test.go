package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"graphrest/internal/auth"
)

func TestSearchConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	srv.user(t, "all", auth.AllPermissions()...)
	srv.db.Exec(t, `CREATE (a:Airport {name: 'Ben Gurion', city: 'Tel Aviv'}), (b:Airport {name: 'Berlin "Brandenburg"'})
		CREATE (a)-[:FLIES_TO {note: 'to Berlin'}]->(b)`, nil)
	const indexes = "/api/admin/search-indexes"
	places := `{"name":"places","kind":"node","types":["Airport"],"properties":["name","city"]}`
	runSteps(t, srv, slices.Concat(
		[]step{
			{
				name: "no index", user: "reader", request: "GET /api/search?q=berlin", wantStatus: 404, wantCode: "NOT_FOUND",
				wantBody: []string{"POST /api/admin/search-indexes"},
			},
			{name: "an empty list", user: "root", request: "GET " + indexes, wantStatus: 200, wantBody: []string{`"data":[]`}},
		},
		deniedCases("GET /api/search?q=x", "", "read", "writer"),
		deniedCases("GET "+indexes, "", "administrators", "all"),
		deniedCases("POST "+indexes, places, "administrators", "all"),
		deniedCases("GET "+indexes+"/places", "", "administrators", "all"),
		deniedCases("DELETE "+indexes+"/places", "", "administrators", "all"),
		[]step{
			{
				name: "create", user: "root", request: "POST " + indexes, body: places, wantStatus: 201,
				wantHeaders: []string{"Location", indexes + "/places"},
				wantBody: []string{
					`"data":{"name":"places","kind":"node","types":["Airport"],"properties":["name","city"],"analyzer":"standard-no-stop-words","state":"`,
					`"managed":true`,
				},
			},
			{
				name: "again", user: "root", request: "POST " + indexes, body: places, wantStatus: 409, wantCode: "CONFLICT",
				wantBody: []string{`"field":"name"`},
			},
			{
				name: "all problems together", user: "root", request: "POST " + indexes,
				body: `{"name":"a b","kind":"both","types":[],"properties":["x","x"],"analyzer":"","more":1}`, wantStatus: 400,
				wantCode: "VALIDATION_ERROR",
				wantBody: []string{
					`"field":"name"`, `"field":"kind"`, `"field":"types"`, `"field":"properties"`, `"field":"analyzer"`, `"field":"more"`,
				},
			},
			{
				name: "nothing given", user: "root", request: "POST " + indexes, body: `{}`, wantStatus: 400,
				wantBody: []string{`"field":"name"`, `"field":"kind"`, `"field":"types"`, `"field":"properties"`},
			},
			{
				name: "a reserved type", user: "root", request: "POST " + indexes,
				body: `{"name":"u","kind":"node","types":["_GraphREST_User"],"properties":["x"]}`, wantStatus: 400,
				wantBody: []string{`"field":"types"`},
			},
			{
				name: "an unknown analyzer", user: "root", request: "POST " + indexes,
				body: `{"name":"u","kind":"node","types":["X"],"properties":["x"],"analyzer":"none"}`, wantStatus: 400,
				wantBody: []string{`"field":"analyzer"`, "english"},
			},
			{name: "not there", user: "root", request: "GET " + indexes + "/nothing", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "no query parameter", user: "root", request: "GET " + indexes + "?limit=1", wantStatus: 400},
		},
	))
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	runSteps(t, srv, []step{
		{
			name: "read", user: "root", request: "GET " + indexes + "/places", wantStatus: 200,
			wantBody: []string{`"state":"online","progress":100,"managed":true`},
		},
		{
			name: "the schema shows it", user: "reader", request: "GET /api/schema", wantStatus: 200,
			wantBody: []string{`{"name":"places","kind":"FULLTEXT"`},
		},
		{
			name: "a hit", user: "reader", request: "GET /api/search?q=aviv", wantStatus: 200,
			wantBody:  []string{`"data":[{"kind":"node","score":`, `"matched":["city"],"node":{"id":"`, `"total":1`},
			notInBody: []string{"truncated", "Berlin"},
		},
		{
			name: "a page", user: "reader", request: "GET /api/search?q=b*&limit=1", wantStatus: 200,
			wantHeaders: []string{"Link", "/api/search?cursor="}, wantBody: []string{`"has_more":true`, `"total":2`},
			save: "next=meta.page.next_cursor",
		},
		{
			name: "the next", user: "reader", request: "GET /api/search?q=b*&limit=1&cursor={next}", wantStatus: 200,
			wantHeaders: []string{"Link", ""}, wantBody: []string{`"offset":1,"has_more":false`},
		},
		{
			name: "of another search", user: "reader", request: "GET /api/search?q=be*&cursor={next}", wantStatus: 400,
			wantBody: []string{`"field":"cursor"`},
		},
		{name: "edges are in no index yet", user: "reader", request: "GET /api/search?q=berlin&kind=edge", wantStatus: 404},
		{
			name: "nothing found", user: "reader", request: "GET /api/search?q=nothing", wantStatus: 200,
			wantBody: []string{`"data":[]`, `"total":0`},
		},
		{name: "no q", user: "reader", request: "GET /api/search", wantStatus: 400, wantBody: []string{`"field":"q"`}},
		{name: "an empty q", user: "reader", request: "GET /api/search?q=", wantStatus: 400, wantBody: []string{`"field":"q"`}},
		{name: "signs", user: "reader", request: "GET /api/search?q=%2B%2A%22", wantStatus: 400, wantBody: []string{`"field":"q"`}},
		{name: "NUL", user: "reader", request: "GET /api/search?q=a%00b", wantStatus: 400, wantBody: []string{`"field":"q"`}},
		{
			name: "a long q", user: "reader", request: "GET /api/search?q=" + strings.Repeat("a", 501), wantStatus: 400,
			wantBody: []string{`"field":"q"`, "500 bytes"},
		},
		{name: "syntax", user: "reader", request: "GET /api/search?q=name%3Aberlin%20OR%20(", wantStatus: 200, wantBody: []string{`"data":[]`}},
		{
			name: "problems", user: "reader", request: "GET /api/search?q=a&kind=&index=&property=a,,b&type=&limit=0&fields=x", wantStatus: 400,
			wantBody: []string{`"field":"kind"`, `"field":"index"`, `"field":"property"`, `"field":"type"`, `"field":"limit"`, `"field":"fields"`},
		},
		{
			name: "no such index", user: "reader", request: "GET /api/search?q=a&index=places,none", wantStatus: 404,
			wantBody: []string{`"field":"index"`},
		},
		{
			name: "no such property", user: "reader", request: "GET /api/search?q=a&property=none", wantStatus: 400,
			wantBody: []string{`"field":"property"`},
		},
		{
			name: "delete", user: "root", request: "DELETE " + indexes + "/places", wantStatus: 200,
			wantBody: []string{`"data":{"name":"places","deleted":true}`},
		},
		{name: "gone", user: "root", request: "DELETE " + indexes + "/places", wantStatus: 404, wantCode: "NOT_FOUND"},
	})
}
