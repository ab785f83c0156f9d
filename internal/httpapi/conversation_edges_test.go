package httpapi_test

import (
	"slices"
	"testing"

	"graphrest/internal/auth"
)

func TestEdgeConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.user(t, "writer", auth.Create, auth.Edit, auth.Delete)
	w.user(t, "editor", auth.Read, auth.Edit)
	const body = `{"type":"KNOWS","source_id":"{a}","target_id":"{b}","properties":{"since":1999}}`
	talk(t, w, slices.Concat(
		refused("POST /api/edges", `{}`, "create", "reader"),
		[]step{
			{says: "one end", as: "writer", do: "POST /api/nodes", body: `{"type":"Person","properties":{}}`, status: 201, keep: "a=data.id"},
			{says: "another end", as: "writer", do: "POST /api/nodes", body: `{"type":"Person","properties":{}}`, status: 201, keep: "b=data.id"},
			{
				says: "create", as: "writer", do: "POST /api/edges", body: body, status: 201, keep: "e=data.id",
				has: []string{`"type":"KNOWS","source_id":"{a}","target_id":"{b}","properties":{"since":1999}`}, heads: []string{"Location", "/api/edges/", "ETag", `"`},
			},
			{says: "a parallel edge, without properties", as: "writer", do: "POST /api/edges", body: `{"type":"KNOWS","source_id":"{a}","target_id":"{b}"}`, status: 201, has: []string{`"properties":{}`}},
			{says: "a loop", as: "writer", do: "POST /api/edges", body: `{"type":"LIKES","source_id":"{a}","target_id":"{a}"}`, status: 201},
			{says: "no ends", as: "writer", do: "POST /api/edges", body: `{"type":"KNOWS","source_id":"x","target_id":"y"}`, status: 400, has: []string{`"field":"source_id"`, `"field":"target_id"`}},
			{says: "one end missing", as: "writer", do: "POST /api/edges", body: `{"type":"KNOWS","source_id":"{a}","target_id":"y"}`, status: 400, has: []string{`"field":"target_id"`}, lacks: []string{`source_id`}},
			{says: "nothing given", as: "writer", do: "POST /api/edges", body: `{}`, status: 400, has: []string{`"type"`, `"source_id"`, `"target_id"`}, lacks: []string{`"properties"`}},
			{says: "properties null", as: "writer", do: "POST /api/edges", body: `{"type":"KNOWS","source_id":"{a}","target_id":"{b}","properties":null}`, status: 400, has: []string{`"properties"`}},
			{says: "read", as: "reader", do: "GET /api/edges/{e}", status: 200, has: []string{`"id":"{e}"`}, keep: "tag=header:ETag"},
			{says: "not modified", as: "reader", do: "GET /api/edges/{e}", header: []string{"If-None-Match", "{tag}"}, status: 304},
			{says: "missing", as: "reader", do: "GET /api/edges/{a}", status: 404, code: "NOT_FOUND"},
			{says: "all", as: "reader", do: "GET /api/edges", status: 200, has: []string{`"KNOWS"`, `"LIKES"`}},
			{says: "by type", as: "reader", do: "GET /api/edges?type=LIKES", status: 200, has: []string{`"LIKES"`}, lacks: []string{`"KNOWS"`}},
			{says: "by source", as: "reader", do: "GET /api/edges?source_id={b}", status: 200, has: []string{`"data":[]`}},
			{says: "by target", as: "reader", do: "GET /api/edges?target_id={b}", status: 200, has: []string{`"KNOWS"`}, lacks: []string{`"LIKES"`}},
			{says: "by either end", as: "reader", do: "GET /api/edges?node_id={b}&type=KNOWS&limit=1", status: 200, has: []string{`"KNOWS"`, `"has_more":true`}, heads: []string{"Link", "node_id={b}"}},
			{says: "by an end that is not there", as: "reader", do: "GET /api/edges?source_id=nothing", status: 200, has: []string{`"data":[]`}},
			{says: "by no end", as: "reader", do: "GET /api/edges?source_id=", status: 400, has: []string{`"field":"source_id"`}},
			{says: "of a node, coming in", as: "reader", do: "GET /api/nodes/{b}/edges?direction=in", status: 200, has: []string{`"KNOWS"`}},
			{says: "of a node, going out", as: "reader", do: "GET /api/nodes/{b}/edges?direction=out", status: 200, has: []string{`"data":[]`}},
		},
		refused("GET /api/edges", "", "read", "writer"),
		refused("GET /api/edges/{e}", "", "read", "writer"),
		refused("PUT /api/edges/{e}", `{"properties":{}}`, "edit", "reader"),
		refused("PATCH /api/edges/{e}", `{"properties":{}}`, "edit", "reader"),
		refused("DELETE /api/edges/{e}", "", "delete", "reader"),
		[]step{
			{says: "update", as: "editor", do: "PUT /api/edges/{e}", body: `{"properties":{"since":null,"at":"sea"}}`, header: []string{"If-Match", "{tag}"}, status: 200, has: []string{`"properties":{"at":"sea"}`}},
			{says: "stale update", as: "editor", do: "PATCH /api/edges/{e}", body: `{"properties":{}}`, header: []string{"If-Match", "{tag}"}, status: 412, code: "PRECONDITION_FAILED"},
			{
				says: "update without read", as: "writer", do: "PUT /api/edges/{e}", body: `{"properties":{"x":1}}`, status: 200,
				has: []string{`"data":{"id":"{e}","type":"KNOWS"},`}, lacks: []string{"sea", "source_id", "properties"}, heads: []string{"ETag", ""},
			},
			{says: "it counted", as: "reader", do: "GET /api/edges/{e}", status: 200, has: []string{`"at":"sea"`, `"x":1`}, keep: "tag=header:ETag"},
			{says: "the present ETag without read", as: "writer", do: "PUT /api/edges/{e}", body: `{"properties":{}}`, header: []string{"If-Match", "{tag}"}, status: 412, has: []string{"permission read"}},
			{says: "ends never change", as: "writer", do: "PUT /api/edges/{e}", body: `{"properties":{},"source_id":"{b}"}`, status: 400, has: []string{`"field":"source_id"`}},
			{says: "update of nothing", as: "writer", do: "PUT /api/edges/nothing", body: `{"properties":{}}`, status: 404},
			{says: "a node with edges, undetached", as: "writer", do: "DELETE /api/nodes/{a}?detach=false", status: 409, code: "CONFLICT"},
			{says: "delete", as: "writer", do: "DELETE /api/edges/{e}", status: 200, has: []string{`"data":{"id":"{e}","deleted":true}`}},
			{says: "gone", as: "writer", do: "DELETE /api/edges/{e}", status: 404, code: "NOT_FOUND"},
			{says: "a node with its edges", as: "writer", do: "DELETE /api/nodes/{a}", status: 200, has: []string{`"deleted_edges":2`}},
			{says: "no edge is left", as: "reader", do: "GET /api/edges", status: 200, has: []string{`"data":[]`}},
		},
	))
}

func TestIdempotencyConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "other", auth.Create)
	const body = `{"type":"Person","properties":{"n":1}}`
	key := []string{"Idempotency-Key", "key-1"}
	talk(t, w, []step{
		{says: "first", as: "root", do: "POST /api/nodes", body: body, header: key, status: 201, keep: "a=data.id", heads: []string{"Idempotent-Replayed", ""}},
		{says: "again", as: "root", do: "POST /api/nodes", body: body, header: key, status: 201, has: []string{`"id":"{a}"`}, heads: []string{"Idempotent-Replayed", "true", "Location", "{a}", "ETag", `"`}},
		{says: "another body", as: "root", do: "POST /api/nodes", body: `{"type":"Person","properties":{"n":2}}`, header: key, status: 422, code: "IDEMPOTENCY_KEY_REUSED"},
		{says: "another route", as: "root", do: "POST /api/edges", body: `{"type":"K","source_id":"{a}","target_id":"{a}"}`, header: key, status: 422, code: "IDEMPOTENCY_KEY_REUSED"},
		{says: "another user", as: "other", do: "POST /api/nodes", body: body, header: key, status: 201, lacks: []string{"{a}"}, heads: []string{"Idempotent-Replayed", ""}},
		{says: "a user without read", as: "other", do: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", "key-2"}, status: 201, keep: "b=data.id"},
		{says: "another changes the node", as: "root", do: "PUT /api/nodes/{b}", body: `{"properties":{"n":7,"secret":"of somebody else"}}`, status: 200},
		{
			says: "is answered what was created", as: "other", do: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", "key-2"}, status: 201,
			has: []string{`"data":{"id":"{b}","type":"Person","labels":["Person"],"properties":{"n":1}}`}, lacks: []string{"secret"}, heads: []string{"Idempotent-Replayed", "true", "Location", "{b}"},
		},
		{says: "an edge by a user without read", as: "other", do: "POST /api/edges", body: `{"type":"K","source_id":"{a}","target_id":"{b}"}`, header: []string{"Idempotency-Key", "key-3"}, status: 201, keep: "e=data.id"},
		{says: "another changes the edge", as: "root", do: "PUT /api/edges/{e}", body: `{"properties":{"secret":"of somebody else"}}`, status: 200},
		{
			says: "is answered what was created of the edge", as: "other", do: "POST /api/edges", body: `{"type":"K","source_id":"{a}","target_id":"{b}"}`, header: []string{"Idempotency-Key", "key-3"}, status: 201,
			has: []string{`"data":{"id":"{e}","type":"K","source_id":"{a}","target_id":"{b}","properties":{}}`}, lacks: []string{"secret"}, heads: []string{"Idempotent-Replayed", "true"},
		},
		{says: "a reader is answered what there is", as: "root", do: "PUT /api/nodes/{a}", body: `{"properties":{"n":8}}`, status: 200},
		{says: "as it is now", as: "root", do: "POST /api/nodes", body: body, header: key, status: 201, has: []string{`"n":8`}},
		{says: "an empty key", as: "root", do: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", ""}, status: 400, has: []string{`"field":"Idempotency-Key"`}},
		{says: "a key with a space", as: "root", do: "POST /api/nodes", body: body, header: []string{"Idempotency-Key", "a b"}, status: 400, has: []string{`"field":"Idempotency-Key"`}},
		{says: "three nodes were made", as: "root", do: "GET /api/nodes?limit=3", status: 200, has: []string{`"has_more":false`}},
	})
}
