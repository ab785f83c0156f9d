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
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	w.user(t, "editor", auth.Read, auth.Edit)
	json := []string{"Content-Type", "application/json"}
	talk(t, w, slices.Concat(
		refused("POST /api/nodes", ann, "create", "reader"),
		[]step{
			{
				says: "an empty graph is an empty list", as: "reader", do: "GET /api/nodes", status: 200,
				has: []string{`{"data":[],"meta":{"status":"success","timestamp":"`, `"page":{"limit":100,"offset":0,"has_more":false,"next_cursor":null`}, heads: []string{"Link", ""},
			},
			{
				says: "create", as: "writer", do: "POST /api/nodes", body: ann, status: 201, keep: "ann=data.id",
				has:   []string{`"type":"Person","labels":["Person"]`, `"born":1960`, `"score":1.0`, `"big":9223372036854775807`, `{"$type":"Date","_value":"2024-05-01"}`},
				lacks: []string{"gone", "uuid"}, heads: []string{"Location", "/api/nodes/", "ETag", `"`, "Cache-Control", "no-store"},
			},
			{says: "read", as: "reader", do: "GET /api/nodes/{ann}", status: 200, has: []string{`"id":"{ann}"`, `"name":"Ann"`}, keep: "tag=header:ETag"},
			{says: "a client that has it already", as: "reader", do: "GET /api/nodes/{ann}", header: []string{"If-None-Match", `"x", W/{tag}`}, status: 304, heads: []string{"ETag", "{tag}", "Content-Type", ""}},
			{says: "a client that has something else", as: "reader", do: "GET /api/nodes/{ann}", header: []string{"If-None-Match", `"x"`}, status: 200},
			{says: "a malformed condition", as: "reader", do: "GET /api/nodes/{ann}", header: []string{"If-None-Match", `x`}, status: 400, has: []string{"If-None-Match"}},
			{says: "HEAD", as: "reader", do: "HEAD /api/nodes/{ann}", status: 200, heads: []string{"ETag", "{tag}"}},
			{says: "HEAD needs read", as: "writer", do: "HEAD /api/nodes/{ann}", status: 403},
			{says: "403 is the same for what does not exist", as: "writer", do: "GET /api/nodes/nothing", status: 403, code: "PERMISSION_DENIED"},
			{says: "missing", as: "reader", do: "GET /api/nodes/nothing", status: 404, code: "NOT_FOUND"},
			{says: "an id with an escaped slash is one segment", as: "reader", do: "GET /api/nodes/a%2Fb", status: 404, code: "NOT_FOUND"},
			{says: "an id with NUL", as: "reader", do: "GET /api/nodes/%00", status: 404, code: "NOT_FOUND"},
			{says: "an id of broken UTF-8", as: "reader", do: "GET /api/nodes/%ff", status: 404, code: "NOT_FOUND"},
			{says: "an injection is only an id", as: "reader", do: "GET /api/nodes/'%20OR%201=1%20%2F%2F", status: 404, code: "NOT_FOUND"},
			{says: "a very long id", as: "reader", do: "GET /api/nodes/" + strings.Repeat("a", 1025), status: 400, has: []string{"node_id"}},
			{says: "an unknown parameter", as: "reader", do: "GET /api/nodes/{ann}?x=1", status: 400, has: []string{`"field":"x"`}},
		},
		refused("GET /api/nodes/{ann}", "", "read", "writer"),
		refused("GET /api/nodes", "", "read", "writer"),
		refused("PUT /api/nodes/{ann}", `{"properties":{}}`, "edit", "reader"),
		refused("PATCH /api/nodes/{ann}", `{"properties":{}}`, "edit", "reader"),
		refused("DELETE /api/nodes/{ann}", "", "delete", "reader"),
		refused("GET /api/nodes/{ann}/edges", "", "read", "writer"),
		[]step{
			{
				says: "create with every mistake", as: "writer", do: "POST /api/nodes?y=1", body: `{"type":"","properties":{"a":{"b":1},"c":[1,"x"]},"id":"x"}`, status: 400, code: "VALIDATION_ERROR",
				has: []string{`"y"`, `"type"`, `"properties.a"`, `"properties.c`, `"id"`},
			},
			{says: "create of a reserved type", as: "writer", do: "POST /api/nodes", body: `{"type":"_GraphREST_User","properties":{}}`, status: 400, has: []string{`"field":"type"`}},
			{says: "create without properties", as: "writer", do: "POST /api/nodes", body: `{"type":"Person"}`, status: 400, has: []string{`"field":"properties"`, "is required"}},
			{says: "create with an id of its own", as: "writer", do: "POST /api/nodes", body: `{"type":"Person","properties":{"uuid":"x"}}`, status: 400, has: []string{`"field":"properties.uuid"`}},
			{says: "create as text", as: "writer", do: "POST /api/nodes", body: ann, header: []string{"Content-Type", "text/plain"}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
			{says: "create of too much", as: "writer", do: "POST /api/nodes", body: ann + strings.Repeat(" ", 1<<20), status: 413, code: "PAYLOAD_TOO_LARGE"},
			{says: "create with a string too long", as: "writer", do: "POST /api/nodes", body: `{"type":"Person","properties":{"s":"` + strings.Repeat("a", 64<<10+1) + `"}}`, status: 400, has: []string{`"field":"properties.s"`}},
			{says: "permission comes before the body", as: "reader", do: "POST /api/nodes", body: "x", header: []string{"Content-Type", "text/plain"}, status: 403},
			{says: "media type comes before existence", as: "writer", do: "PUT /api/nodes/nothing", body: "{}", header: []string{"Content-Type", "text/plain"}, status: 415},
			{says: "input comes before existence", as: "writer", do: "PUT /api/nodes/nothing", body: "{}", header: json, status: 400},
			{
				says: "update", as: "editor", do: "PUT /api/nodes/{ann}", body: `{"properties":{"born":null,"name":"Anna"}}`, header: []string{"If-Match", "{tag}"}, status: 200,
				has: []string{`"name":"Anna"`, `"score":1.0`}, lacks: []string{"born"}, keep: "tag2=header:ETag",
			},
			{says: "update of something older", as: "editor", do: "PUT /api/nodes/{ann}", body: `{"properties":{"x":1}}`, header: []string{"If-Match", "{tag}"}, status: 412, code: "PRECONDITION_FAILED", heads: []string{"ETag", ""}},
			{says: "update on a weak tag", as: "editor", do: "PUT /api/nodes/{ann}", body: `{"properties":{"x":1}}`, header: []string{"If-Match", "W/{tag2}"}, status: 412},
			{says: "update on a malformed tag", as: "writer", do: "PATCH /api/nodes/{ann}", body: `{"properties":{"x":1}}`, header: []string{"If-Match", "x"}, status: 400, has: []string{`"field":"If-Match"`}},
			{says: "patch", as: "editor", do: "PATCH /api/nodes/{ann}", body: `{"properties":{"x":1}}`, header: []string{"If-Match", "*"}, status: 200, has: []string{`"x":1`}},
			{
				says: "update without read", as: "writer", do: "PUT /api/nodes/{ann}", body: `{"properties":{"y":1}}`, status: 200,
				has: []string{`"data":{"id":"{ann}","type":"Person"},`}, lacks: []string{"Anna", "labels", "properties"}, heads: []string{"ETag", ""},
			},
			{says: "it counted", as: "reader", do: "GET /api/nodes/{ann}", status: 200, has: []string{`"y":1`}, keep: "tag3=header:ETag"},
			{
				says: "the present ETag without read", as: "writer", do: "PUT /api/nodes/{ann}", body: `{"properties":{"y":2}}`, header: []string{"If-Match", "{tag3}"},
				status: 412, code: "PRECONDITION_FAILED", has: []string{`"field":"If-Match"`, "permission read"}, heads: []string{"ETag", ""},
			},
			{says: "any content without read", as: "writer", do: "PATCH /api/nodes/{ann}", body: `{"properties":{"y":2}}`, header: []string{"If-Match", "*"}, status: 200, lacks: []string{"Anna"}},
			{says: "delete by the present ETag without read", as: "writer", do: "DELETE /api/nodes/{ann}", header: []string{"If-Match", "{tag3}"}, status: 412, has: []string{"permission read"}},
			{says: "update cannot set the id", as: "writer", do: "PUT /api/nodes/{ann}", body: `{"properties":{"uuid":"x"}}`, status: 400, has: []string{"properties.uuid"}},
			{says: "update cannot set the type", as: "writer", do: "PUT /api/nodes/{ann}", body: `{"properties":{},"type":"Cat"}`, status: 400, has: []string{`"field":"type"`}},
			{says: "update of nothing", as: "writer", do: "PUT /api/nodes/nothing", body: `{"properties":{}}`, status: 404, code: "NOT_FOUND"},
			{says: "a node has no edges yet", as: "reader", do: "GET /api/nodes/{ann}/edges?direction=out&type=KNOWS", status: 200, has: []string{`"data":[]`}},
			{says: "a direction that is none", as: "reader", do: "GET /api/nodes/{ann}/edges?direction=up", status: 400, has: []string{`"field":"direction"`}},
			{says: "edges of nothing", as: "reader", do: "GET /api/nodes/nothing/edges", status: 404, code: "NOT_FOUND"},
			{says: "delete of something older", as: "writer", do: "DELETE /api/nodes/{ann}", header: []string{"If-Match", "{tag}"}, status: 412},
			{says: "delete with a wrong word", as: "writer", do: "DELETE /api/nodes/{ann}?detach=yes", status: 400, has: []string{`"field":"detach"`}},
			{says: "delete", as: "writer", do: "DELETE /api/nodes/{ann}", status: 200, has: []string{`"data":{"id":"{ann}","deleted":true,"deleted_edges":0}`}},
			{says: "it is gone", as: "reader", do: "GET /api/nodes/{ann}", status: 404},
			{says: "and stays so", as: "writer", do: "DELETE /api/nodes/{ann}", status: 404},
		},
	))
}

func TestListConversation(t *testing.T) {
	w := openWorld(t, nil)
	node := func(says, typ, n string) step {
		return step{says: says, as: "root", do: "POST /api/nodes", body: `{"type":"` + typ + `","properties":{"n":` + n + `}}`, status: 201}
	}
	bad := func(query, field string) step {
		return step{says: "400 " + query, as: "root", do: "GET /api/nodes?" + query, status: 400, code: "VALIDATION_ERROR", has: []string{`"field":"` + field + `"`}}
	}
	talk(t, w, []step{
		node("one", "B", "1"), node("two", "B", "2"), node("three", "A", "3"),
		{
			says: "types in order, and the first page", as: "root", do: "GET /api/nodes?limit=2", status: 200, keep: "cursor=meta.page.next_cursor",
			has: []string{`"n":3`, `"n":1`, `"limit":2,"offset":0,"has_more":true`}, lacks: []string{`"n":2`}, heads: []string{"Link", `</api/nodes?cursor=`, "Link", `&limit=2>; rel="next"`},
		},
		{
			says: "the last page", as: "root", do: "GET /api/nodes?limit=2&cursor={cursor}", status: 200,
			has: []string{`"n":2`, `"offset":2,"has_more":false,"next_cursor":null`}, lacks: []string{`"n":1`, `"n":3`}, heads: []string{"Link", ""},
		},
		{says: "limit may change between pages", as: "root", do: "GET /api/nodes?limit=7&cursor={cursor}", status: 200, has: []string{`"n":2`}},
		{says: "offset", as: "root", do: "GET /api/nodes?offset=1&limit=1", status: 200, has: []string{`"n":1`, `"offset":1`}},
		{says: "beyond the end", as: "root", do: "GET /api/nodes?offset=9223372036854775807", status: 200, has: []string{`"data":[]`, `"has_more":false`}},
		{says: "one type", as: "root", do: "GET /api/nodes?type=B", status: 200, has: []string{`"n":1`, `"n":2`}, lacks: []string{`"n":3`}},
		{says: "a type that nothing has", as: "root", do: "GET /api/nodes?type=%60%29%20DETACH%20DELETE%20n%20%2F%2F", status: 200, has: []string{`"data":[]`}},
		{says: "a cursor of another query", as: "root", do: "GET /api/nodes?type=B&cursor={cursor}", status: 400, has: []string{`"field":"cursor"`}},
		{says: "a cursor of another route", as: "root", do: "GET /api/edges?cursor={cursor}", status: 400, has: []string{`"field":"cursor"`}},
		{says: "cursor and offset", as: "root", do: "GET /api/nodes?offset=0&cursor={cursor}", status: 400, has: []string{`"field":"cursor"`}},
		bad("cursor=", "cursor"), bad("cursor=AAAA", "cursor"),
		bad("limit=0", "limit"), bad("limit=-1", "limit"), bad("limit=1.5", "limit"), bad("limit=1001", "limit"), bad("limit=1000000000", "limit"),
		bad("limit=abc", "limit"), bad("limit=", "limit"), bad("limit=%2B5", "limit"), bad("limit=5&limit=5", "limit"), bad("limit=0x10", "limit"),
		bad("offset=-1", "offset"), bad("offset=9223372036854775808", "offset"),
		bad("type=", "type"), bad("type=_graphrestUser", "type"), bad("type=%00", "type"), bad("type="+strings.Repeat("a", 256), "type"),
		bad("type=%", "query"), bad("type=%ff", "query"), bad("filter[n][x]=1", "filter[n][x]"), bad("sort=-", "sort"), bad("_method=DELETE", "_method"),
		{says: "still there", as: "root", do: "GET /api/nodes", status: 200, has: []string{`"n":1`, `"n":2`, `"n":3`}},
	})
}
