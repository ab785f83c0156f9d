package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"graphrest/internal/auth"
)

const ann = `{"type":"Person","properties":{"name":"Ann","born":1960,"score":1.0,"big":9223372036854775807,` +
	`"met":{"$type":"Date","_value":"2024-05-01"},"gone":null,"tags":["a","b"]}}`

func TestNodeConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	srv.user(t, "editor", auth.Read, auth.Edit)
	json := []string{"Content-Type", "application/json"}
	runSteps(t, srv, slices.Concat(
		deniedCases("POST /api/nodes", ann, "create", "reader"),
		[]step{
			{
				name: "an empty graph is an empty list", user: "reader", request: "GET /api/nodes", wantStatus: 200,
				wantBody: []string{
					`{"data":[],"meta":{"status":"success","timestamp":"`, `"page":{"limit":100,"offset":0,"has_more":false,"next_cursor":null`,
				}, wantHeaders: []string{"Link", ""},
			},
			{
				name: "create", user: "writer", request: "POST /api/nodes", body: ann, wantStatus: 201, save: "ann=data.id",
				wantBody: []string{
					`"type":"Person","labels":["Person"]`, `"born":1960`, `"score":1.0`, `"big":9223372036854775807`,
					`{"$type":"Date","_value":"2024-05-01"}`,
				},
				notInBody: []string{"gone", "uuid"}, wantHeaders: []string{"Location", "/api/nodes/", "ETag", `"`, "Cache-Control", "no-store"},
			},
			{
				name: "read", user: "reader", request: "GET /api/nodes/{ann}", wantStatus: 200, wantBody: []string{`"id":"{ann}"`, `"name":"Ann"`},
				save: "tag=header:ETag",
			},
			{
				name: "a client that has it already", user: "reader", request: "GET /api/nodes/{ann}",
				header: []string{"If-None-Match", `"x", W/{tag}`}, wantStatus: 304, wantHeaders: []string{"ETag", "{tag}", "Content-Type", ""},
			},
			{
				name: "a client that has something else", user: "reader", request: "GET /api/nodes/{ann}", header: []string{"If-None-Match", `"x"`},
				wantStatus: 200,
			},
			{
				name: "a malformed condition", user: "reader", request: "GET /api/nodes/{ann}", header: []string{"If-None-Match", `x`}, wantStatus: 400,
				wantBody: []string{"If-None-Match"},
			},
			{name: "HEAD", user: "reader", request: "HEAD /api/nodes/{ann}", wantStatus: 200, wantHeaders: []string{"ETag", "{tag}"}},
			{name: "HEAD needs read", user: "writer", request: "HEAD /api/nodes/{ann}", wantStatus: 403},
			{
				name: "403 is the same for what does not exist", user: "writer", request: "GET /api/nodes/nothing", wantStatus: 403,
				wantCode: "PERMISSION_DENIED",
			},
			{name: "missing", user: "reader", request: "GET /api/nodes/nothing", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "an id with an escaped slash is one segment", user: "reader", request: "GET /api/nodes/a%2Fb", wantStatus: 404,
				wantCode: "NOT_FOUND",
			},
			{name: "an id with NUL", user: "reader", request: "GET /api/nodes/%00", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "an id of broken UTF-8", user: "reader", request: "GET /api/nodes/%ff", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "an injection is only an id", user: "reader", request: "GET /api/nodes/'%20OR%201=1%20%2F%2F", wantStatus: 404,
				wantCode: "NOT_FOUND",
			},
			{
				name: "a very long id", user: "reader", request: "GET /api/nodes/" + strings.Repeat("a", 1025), wantStatus: 400,
				wantBody: []string{"node_id"},
			},
			{name: "an unknown parameter", user: "reader", request: "GET /api/nodes/{ann}?x=1", wantStatus: 400, wantBody: []string{`"field":"x"`}},
		},
		deniedCases("GET /api/nodes/{ann}", "", "read", "writer"),
		deniedCases("GET /api/nodes", "", "read", "writer"),
		deniedCases("PUT /api/nodes/{ann}", `{"properties":{}}`, "edit", "reader"),
		deniedCases("PATCH /api/nodes/{ann}", `{"properties":{}}`, "edit", "reader"),
		deniedCases("DELETE /api/nodes/{ann}", "", "delete", "reader"),
		deniedCases("GET /api/nodes/{ann}/edges", "", "read", "writer"),
		[]step{
			{
				name: "create with every problem", user: "writer", request: "POST /api/nodes?y=1",
				body: `{"type":"","properties":{"a":{"b":1},"c":[1,"x"]},"id":"x"}`, wantStatus: 400, wantCode: "VALIDATION_ERROR",
				wantBody: []string{`"y"`, `"type"`, `"properties.a"`, `"properties.c`, `"id"`},
			},
			{
				name: "create of a reserved type", user: "writer", request: "POST /api/nodes", body: `{"type":"_GraphREST_User","properties":{}}`,
				wantStatus: 400, wantBody: []string{`"field":"type"`},
			},
			{
				name: "create without properties", user: "writer", request: "POST /api/nodes", body: `{"type":"Person"}`, wantStatus: 400,
				wantBody: []string{`"field":"properties"`, "is required"},
			},
			{
				name: "create with its own id", user: "writer", request: "POST /api/nodes", body: `{"type":"Person","properties":{"uuid":"x"}}`,
				wantStatus: 400, wantBody: []string{`"field":"properties.uuid"`},
			},
			{
				name: "create as text", user: "writer", request: "POST /api/nodes", body: ann, header: []string{"Content-Type", "text/plain"},
				wantStatus: 415, wantCode: "UNSUPPORTED_MEDIA_TYPE",
			},
			{
				name: "create of too much", user: "writer", request: "POST /api/nodes", body: ann + strings.Repeat(" ", 1<<20), wantStatus: 413,
				wantCode: "PAYLOAD_TOO_LARGE",
			},
			{
				name: "create with a string too long", user: "writer", request: "POST /api/nodes",
				body: `{"type":"Person","properties":{"s":"` + strings.Repeat("a", 64<<10+1) + `"}}`, wantStatus: 400,
				wantBody: []string{`"field":"properties.s"`},
			},
			{
				name: "permission comes before the body", user: "reader", request: "POST /api/nodes", body: "x",
				header: []string{"Content-Type", "text/plain"}, wantStatus: 403,
			},
			{
				name: "media type comes before existence", user: "writer", request: "PUT /api/nodes/nothing", body: "{}",
				header: []string{"Content-Type", "text/plain"}, wantStatus: 415,
			},
			{name: "input comes before existence", user: "writer", request: "PUT /api/nodes/nothing", body: "{}", header: json, wantStatus: 400},
			{
				name: "update", user: "editor", request: "PUT /api/nodes/{ann}", body: `{"properties":{"born":null,"name":"Anna"}}`,
				header: []string{"If-Match", "{tag}"}, wantStatus: 200,
				wantBody: []string{`"name":"Anna"`, `"score":1.0`}, notInBody: []string{"born"}, save: "tag2=header:ETag",
			},
			{
				name: "update of something older", user: "editor", request: "PUT /api/nodes/{ann}", body: `{"properties":{"x":1}}`,
				header: []string{"If-Match", "{tag}"}, wantStatus: 412, wantCode: "PRECONDITION_FAILED", wantHeaders: []string{"ETag", ""},
			},
			{
				name: "update on the weak tag of something older", user: "editor", request: "PUT /api/nodes/{ann}", body: `{"properties":{"x":1}}`,
				header: []string{"If-Match", "W/{tag}"}, wantStatus: 412,
			},
			{
				name: "update on a tag that a proxy made weak", user: "editor", request: "PUT /api/nodes/{ann}", body: `{"properties":{}}`,
				header: []string{"If-Match", "W/{tag2}"}, wantStatus: 200, wantHeaders: []string{"ETag", "{tag2}"},
			},
			{
				name: "update on a malformed tag", user: "writer", request: "PATCH /api/nodes/{ann}", body: `{"properties":{"x":1}}`,
				header: []string{"If-Match", "x"}, wantStatus: 400, wantBody: []string{`"field":"If-Match"`},
			},
			{
				name: "patch", user: "editor", request: "PATCH /api/nodes/{ann}", body: `{"properties":{"x":1}}`, header: []string{"If-Match", "*"},
				wantStatus: 200, wantBody: []string{`"x":1`},
			},
			{
				name: "update without read", user: "writer", request: "PUT /api/nodes/{ann}", body: `{"properties":{"y":1}}`, wantStatus: 200,
				wantBody: []string{`"data":{"id":"{ann}","type":"Person"},`}, notInBody: []string{"Anna", "labels", "properties"},
				wantHeaders: []string{"ETag", ""},
			},
			{
				name: "it counted", user: "reader", request: "GET /api/nodes/{ann}", wantStatus: 200, wantBody: []string{`"y":1`},
				save: "tag3=header:ETag",
			},
			{
				name: "the present ETag without read", user: "writer", request: "PUT /api/nodes/{ann}", body: `{"properties":{"y":2}}`,
				header:     []string{"If-Match", "{tag3}"},
				wantStatus: 412, wantCode: "PRECONDITION_FAILED", wantBody: []string{`"field":"If-Match"`, "permission read"},
				wantHeaders: []string{"ETag", ""},
			},
			{
				name: "any content without read", user: "writer", request: "PATCH /api/nodes/{ann}", body: `{"properties":{"y":2}}`,
				header: []string{"If-Match", "*"}, wantStatus: 200, notInBody: []string{"Anna"},
			},
			{
				name: "delete by the present ETag without read", user: "writer", request: "DELETE /api/nodes/{ann}",
				header: []string{"If-Match", "{tag3}"}, wantStatus: 412, wantBody: []string{"permission read"},
			},
			{
				name: "update cannot set the id", user: "writer", request: "PUT /api/nodes/{ann}", body: `{"properties":{"uuid":"x"}}`, wantStatus: 400,
				wantBody: []string{"properties.uuid"},
			},
			{
				name: "update cannot set the type", user: "writer", request: "PUT /api/nodes/{ann}", body: `{"properties":{},"type":"Cat"}`,
				wantStatus: 400, wantBody: []string{`"field":"type"`},
			},
			{
				name: "update of nothing", user: "writer", request: "PUT /api/nodes/nothing", body: `{"properties":{}}`, wantStatus: 404,
				wantCode: "NOT_FOUND",
			},
			{
				name: "a node has no edges yet", user: "reader", request: "GET /api/nodes/{ann}/edges?direction=out&type=KNOWS", wantStatus: 200,
				wantBody: []string{`"data":[]`},
			},
			{
				name: "a direction that is none", user: "reader", request: "GET /api/nodes/{ann}/edges?direction=up", wantStatus: 400,
				wantBody: []string{`"field":"direction"`},
			},
			{name: "edges of nothing", user: "reader", request: "GET /api/nodes/nothing/edges", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "delete of something older", user: "writer", request: "DELETE /api/nodes/{ann}", header: []string{"If-Match", "{tag}"},
				wantStatus: 412,
			},
			{
				name: "delete with a wrong word", user: "writer", request: "DELETE /api/nodes/{ann}?detach=yes", wantStatus: 400,
				wantBody: []string{`"field":"detach"`},
			},
			{
				name: "delete", user: "writer", request: "DELETE /api/nodes/{ann}", wantStatus: 200,
				wantBody: []string{`"data":{"id":"{ann}","deleted":true,"deleted_edges":0}`},
			},
			{name: "it is gone", user: "reader", request: "GET /api/nodes/{ann}", wantStatus: 404},
			{name: "and stays so", user: "writer", request: "DELETE /api/nodes/{ann}", wantStatus: 404},
		},
	))
}

func TestListConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	node := func(name, typ, n string) step {
		return step{
			name: name, user: "root", request: "POST /api/nodes", body: `{"type":"` + typ + `","properties":{"n":` + n + `}}`, wantStatus: 201,
		}
	}
	bad := func(query, field string) step {
		return step{
			name: "400 " + query, user: "root", request: "GET /api/nodes?" + query, wantStatus: 400, wantCode: "VALIDATION_ERROR",
			wantBody: []string{`"field":"` + field + `"`},
		}
	}
	runSteps(t, srv, []step{
		node("one", "B", "1"), node("two", "B", "2"), node("three", "A", "3"),
		{
			name: "types in order, and the first page", user: "root", request: "GET /api/nodes?limit=2", wantStatus: 200,
			save:     "cursor=meta.page.next_cursor",
			wantBody: []string{`"n":3`, `"n":1`, `"limit":2,"offset":0,"has_more":true`}, notInBody: []string{`"n":2`},
			wantHeaders: []string{"Link", `</api/nodes?cursor=`, "Link", `&limit=2>; rel="next"`},
		},
		{
			name: "the last page", user: "root", request: "GET /api/nodes?limit=2&cursor={cursor}", wantStatus: 200,
			wantBody: []string{`"n":2`, `"offset":2,"has_more":false,"next_cursor":null`}, notInBody: []string{`"n":1`, `"n":3`},
			wantHeaders: []string{"Link", ""},
		},
		{
			name: "limit may change between pages", user: "root", request: "GET /api/nodes?limit=7&cursor={cursor}", wantStatus: 200,
			wantBody: []string{`"n":2`},
		},
		{name: "offset", user: "root", request: "GET /api/nodes?offset=1&limit=1", wantStatus: 200, wantBody: []string{`"n":1`, `"offset":1`}},
		{
			name: "beyond the end", user: "root", request: "GET /api/nodes?offset=9223372036854775807", wantStatus: 200,
			wantBody: []string{`"data":[]`, `"has_more":false`},
		},
		{
			name: "one type", user: "root", request: "GET /api/nodes?type=B", wantStatus: 200, wantBody: []string{`"n":1`, `"n":2`},
			notInBody: []string{`"n":3`},
		},
		{
			name: "a type that nothing has", user: "root", request: "GET /api/nodes?type=%60%29%20DETACH%20DELETE%20n%20%2F%2F", wantStatus: 200,
			wantBody: []string{`"data":[]`},
		},
		{
			name: "a cursor of another query", user: "root", request: "GET /api/nodes?type=B&cursor={cursor}", wantStatus: 400,
			wantBody: []string{`"field":"cursor"`},
		},
		{
			name: "a cursor of another route", user: "root", request: "GET /api/edges?cursor={cursor}", wantStatus: 400,
			wantBody: []string{`"field":"cursor"`},
		},
		{
			name: "cursor and offset", user: "root", request: "GET /api/nodes?offset=0&cursor={cursor}", wantStatus: 400,
			wantBody: []string{`"field":"cursor"`},
		},
		bad("cursor=", "cursor"), bad("cursor=AAAA", "cursor"),
		bad("limit=0", "limit"), bad("limit=-1", "limit"), bad("limit=1.5", "limit"), bad("limit=1001", "limit"),
		bad("limit=1000000000", "limit"),
		bad("limit=abc", "limit"), bad("limit=", "limit"), bad("limit=%2B5", "limit"), bad("limit=5&limit=5", "limit"),
		bad("limit=0x10", "limit"),
		bad("offset=-1", "offset"), bad("offset=9223372036854775808", "offset"),
		bad("type=", "type"), bad("type=_graphrestUser", "type"), bad("type=%00", "type"), bad("type="+strings.Repeat("a", 256), "type"),
		bad("type=%", "query"), bad("type=%ff", "query"), bad("filter[n][x]=1", "filter[n][x]"), bad("sort=-", "sort"),
		bad("_method=DELETE", "_method"),
		{name: "still there", user: "root", request: "GET /api/nodes", wantStatus: 200, wantBody: []string{`"n":1`, `"n":2`, `"n":3`}},
	})
}
