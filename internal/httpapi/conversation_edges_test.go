package httpapi_test

import (
	"slices"
	"testing"

	"graphrest/internal/auth"
)

func TestEdgeConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	srv.user(t, "editor", auth.Read, auth.Edit)
	const body = `{"type":"KNOWS","source_id":"{a}","target_id":"{b}","properties":{"since":1999}}`
	runSteps(t, srv, slices.Concat(
		deniedCases("POST /api/edges", `{}`, "create", "reader"),
		[]step{
			{
				name: "one end", user: "writer", request: "POST /api/nodes", body: `{"type":"Person","properties":{}}`, wantStatus: 201,
				save: "a=data.id",
			},
			{
				name: "another end", user: "writer", request: "POST /api/nodes", body: `{"type":"Person","properties":{}}`, wantStatus: 201,
				save: "b=data.id",
			},
			{
				name: "create", user: "writer", request: "POST /api/edges", body: body, wantStatus: 201, save: "e=data.id",
				wantBody:    []string{`"type":"KNOWS","source_id":"{a}","target_id":"{b}","properties":{"since":1999}`},
				wantHeaders: []string{"Location", "/api/edges/", "ETag", `"`},
			},
			{
				name: "a parallel edge, without properties", user: "writer", request: "POST /api/edges",
				body: `{"type":"KNOWS","source_id":"{a}","target_id":"{b}"}`, wantStatus: 201, wantBody: []string{`"properties":{}`},
			},
			{
				name: "a loop", user: "writer", request: "POST /api/edges", body: `{"type":"LIKES","source_id":"{a}","target_id":"{a}"}`,
				wantStatus: 201,
			},
			{
				name: "no ends", user: "writer", request: "POST /api/edges", body: `{"type":"KNOWS","source_id":"x","target_id":"y"}`, wantStatus: 400,
				wantBody: []string{`"field":"source_id"`, `"field":"target_id"`},
			},
			{
				name: "one end missing", user: "writer", request: "POST /api/edges", body: `{"type":"KNOWS","source_id":"{a}","target_id":"y"}`,
				wantStatus: 400, wantBody: []string{`"field":"target_id"`}, notInBody: []string{`source_id`},
			},
			{
				name: "nothing given", user: "writer", request: "POST /api/edges", body: `{}`, wantStatus: 400,
				wantBody: []string{`"type"`, `"source_id"`, `"target_id"`}, notInBody: []string{`"properties"`},
			},
			{
				name: "properties null", user: "writer", request: "POST /api/edges",
				body: `{"type":"KNOWS","source_id":"{a}","target_id":"{b}","properties":null}`, wantStatus: 400, wantBody: []string{`"properties"`},
			},
			{
				name: "read", user: "reader", request: "GET /api/edges/{e}", wantStatus: 200, wantBody: []string{`"id":"{e}"`}, save: "tag=header:ETag",
			},
			{name: "not modified", user: "reader", request: "GET /api/edges/{e}", header: []string{"If-None-Match", "{tag}"}, wantStatus: 304},
			{name: "missing", user: "reader", request: "GET /api/edges/{a}", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "all", user: "reader", request: "GET /api/edges", wantStatus: 200, wantBody: []string{`"KNOWS"`, `"LIKES"`}},
			{
				name: "by type", user: "reader", request: "GET /api/edges?type=LIKES", wantStatus: 200, wantBody: []string{`"LIKES"`},
				notInBody: []string{`"KNOWS"`},
			},
			{name: "by source", user: "reader", request: "GET /api/edges?source_id={b}", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{
				name: "by target", user: "reader", request: "GET /api/edges?target_id={b}", wantStatus: 200, wantBody: []string{`"KNOWS"`},
				notInBody: []string{`"LIKES"`},
			},
			{
				name: "by either end", user: "reader", request: "GET /api/edges?node_id={b}&type=KNOWS&limit=1", wantStatus: 200,
				wantBody: []string{`"KNOWS"`, `"has_more":true`}, wantHeaders: []string{"Link", "node_id={b}"},
			},
			{
				name: "by an end that is not there", user: "reader", request: "GET /api/edges?source_id=nothing", wantStatus: 200,
				wantBody: []string{`"data":[]`},
			},
			{name: "by no end", user: "reader", request: "GET /api/edges?source_id=", wantStatus: 400, wantBody: []string{`"field":"source_id"`}},
			{
				name: "of a node, coming in", user: "reader", request: "GET /api/nodes/{b}/edges?direction=in", wantStatus: 200,
				wantBody: []string{`"KNOWS"`},
			},
			{
				name: "of a node, going out", user: "reader", request: "GET /api/nodes/{b}/edges?direction=out", wantStatus: 200,
				wantBody: []string{`"data":[]`},
			},
		},
		deniedCases("GET /api/edges", "", "read", "writer"),
		deniedCases("GET /api/edges/{e}", "", "read", "writer"),
		deniedCases("PUT /api/edges/{e}", `{"properties":{}}`, "edit", "reader"),
		deniedCases("PATCH /api/edges/{e}", `{"properties":{}}`, "edit", "reader"),
		deniedCases("DELETE /api/edges/{e}", "", "delete", "reader"),
		[]step{
			{
				name: "update", user: "editor", request: "PUT /api/edges/{e}", body: `{"properties":{"since":null,"at":"sea"}}`,
				header: []string{"If-Match", "{tag}"}, wantStatus: 200, wantBody: []string{`"properties":{"at":"sea"}`},
			},
			{
				name: "stale update", user: "editor", request: "PATCH /api/edges/{e}", body: `{"properties":{}}`, header: []string{"If-Match", "{tag}"},
				wantStatus: 412, wantCode: "PRECONDITION_FAILED",
			},
			{
				name: "update without read", user: "writer", request: "PUT /api/edges/{e}", body: `{"properties":{"x":1}}`, wantStatus: 200,
				wantBody: []string{`"data":{"id":"{e}","type":"KNOWS"},`}, notInBody: []string{"sea", "source_id", "properties"},
				wantHeaders: []string{"ETag", ""},
			},
			{
				name: "it counted", user: "reader", request: "GET /api/edges/{e}", wantStatus: 200, wantBody: []string{`"at":"sea"`, `"x":1`},
				save: "tag=header:ETag",
			},
			{
				name: "the present ETag without read", user: "writer", request: "PUT /api/edges/{e}", body: `{"properties":{}}`,
				header: []string{"If-Match", "{tag}"}, wantStatus: 412, wantBody: []string{"permission read"},
			},
			{
				name: "ends never change", user: "writer", request: "PUT /api/edges/{e}", body: `{"properties":{},"source_id":"{b}"}`, wantStatus: 400,
				wantBody: []string{`"field":"source_id"`},
			},
			{name: "update of nothing", user: "writer", request: "PUT /api/edges/nothing", body: `{"properties":{}}`, wantStatus: 404},
			{
				name: "a node with edges, undetached", user: "writer", request: "DELETE /api/nodes/{a}?detach=false", wantStatus: 409,
				wantCode: "CONFLICT",
			},
			{
				name: "delete", user: "writer", request: "DELETE /api/edges/{e}", wantStatus: 200,
				wantBody: []string{`"data":{"id":"{e}","deleted":true}`},
			},
			{name: "gone", user: "writer", request: "DELETE /api/edges/{e}", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "a node with its edges", user: "writer", request: "DELETE /api/nodes/{a}", wantStatus: 200,
				wantBody: []string{`"deleted_edges":2`},
			},
			{name: "no edge is left", user: "reader", request: "GET /api/edges", wantStatus: 200, wantBody: []string{`"data":[]`}},
		},
	))
}

func TestIdempotencyConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "other", auth.Create)
	const body = `{"type":"Person","properties":{"n":1}}`
	key := []string{"Idempotency-Key", "key-1"}
	runSteps(t, srv, []step{
		{
			name: "first", user: "root", request: "POST /api/nodes", body: body, header: key, wantStatus: 201, save: "a=data.id",
			wantHeaders: []string{"Idempotent-Replayed", ""},
		},
		{
			name: "again", user: "root", request: "POST /api/nodes", body: body, header: key, wantStatus: 201, wantBody: []string{`"id":"{a}"`},
			wantHeaders: []string{"Idempotent-Replayed", "true", "Location", "{a}", "ETag", `"`},
		},
		{
			name: "another body", user: "root", request: "POST /api/nodes", body: `{"type":"Person","properties":{"n":2}}`, header: key,
			wantStatus: 422, wantCode: "IDEMPOTENCY_KEY_REUSED",
		},
		{
			name: "another route", user: "root", request: "POST /api/edges", body: `{"type":"K","source_id":"{a}","target_id":"{a}"}`, header: key,
			wantStatus: 422, wantCode: "IDEMPOTENCY_KEY_REUSED",
		},
		{
			name: "another user", user: "other", request: "POST /api/nodes", body: body, header: key, wantStatus: 201, notInBody: []string{"{a}"},
			wantHeaders: []string{"Idempotent-Replayed", ""},
		},
		{
			name: "a user without read", user: "other", request: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", "key-2"},
			wantStatus: 201, save: "b=data.id",
		},
		{
			name: "another changes the node", user: "root", request: "PUT /api/nodes/{b}",
			body: `{"properties":{"n":7,"secret":"of somebody else"}}`, wantStatus: 200,
		},
		{
			name: "is answered what was created", user: "other", request: "POST /api/nodes", body: body,
			header: []string{"Idempotency-Key", "key-2"}, wantStatus: 201,
			wantBody: []string{`"data":{"id":"{b}","type":"Person","labels":["Person"],"properties":{"n":1}}`}, notInBody: []string{"secret"},
			wantHeaders: []string{"Idempotent-Replayed", "true", "Location", "{b}"},
		},
		{
			name: "an edge by a user without read", user: "other", request: "POST /api/edges",
			body: `{"type":"K","source_id":"{a}","target_id":"{b}"}`, header: []string{"Idempotency-Key", "key-3"}, wantStatus: 201,
			save: "e=data.id",
		},
		{
			name: "another changes the edge", user: "root", request: "PUT /api/edges/{e}", body: `{"properties":{"secret":"of somebody else"}}`,
			wantStatus: 200,
		},
		{
			name: "is answered what was created of the edge", user: "other", request: "POST /api/edges",
			body: `{"type":"K","source_id":"{a}","target_id":"{b}"}`, header: []string{"Idempotency-Key", "key-3"}, wantStatus: 201,
			wantBody: []string{`"data":{"id":"{e}","type":"K","source_id":"{a}","target_id":"{b}","properties":{}}`}, notInBody: []string{"secret"},
			wantHeaders: []string{"Idempotent-Replayed", "true"},
		},
		{
			name: "a reader is answered what there is", user: "root", request: "PUT /api/nodes/{a}", body: `{"properties":{"n":8}}`, wantStatus: 200,
		},
		{name: "as it is now", user: "root", request: "POST /api/nodes", body: body, header: key, wantStatus: 201, wantBody: []string{`"n":8`}},
		{
			name: "an empty key", user: "root", request: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", ""}, wantStatus: 400,
			wantBody: []string{`"field":"Idempotency-Key"`},
		},
		{
			name: "a key with a space", user: "root", request: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", "a b"},
			wantStatus: 400, wantBody: []string{`"field":"Idempotency-Key"`},
		},
		{name: "three nodes were made", user: "root", request: "GET /api/nodes?limit=3", wantStatus: 200, wantBody: []string{`"has_more":false`}},
	})
}
