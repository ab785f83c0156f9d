package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"graphrest/internal/auth"
	"graphrest/internal/neo4jtest"
)

func TestBulkConversation(t *testing.T) {
	w := openWorldOn(t, neo4jtest.Open(t), nil) // an export names the managed types
	w.user(t, "reader", auth.Read)
	w.user(t, "maker", auth.Create)
	w.user(t, "editor", auth.Create, auth.Edit)
	lines := []string{"Content-Type", "application/x-ndjson"}
	const two = `{"kind":"node","ref":"a","type":"Person","properties":{"name":"Ann","met":{"$type":"Date","_value":"2024-05-01"}}}` + "\n" +
		`{"kind":"node","id":"bob","type":"Person"}` + "\r\n\n" + `{"kind":"edge","type":"KNOWS","source_ref":"a","target_id":"bob"}`
	talk(t, w, slices.Concat(
		refused("POST /api/import", two, "create", "reader"),
		refused("GET /api/export", "", "read", "maker"),
		[]step{
			{says: "merging needs edit as well", as: "maker", do: "POST /api/import?on_conflict=merge", body: two, header: lines, status: 403, code: "PERMISSION_DENIED", has: []string{"edit"}},
			{says: "import as JSON", as: "maker", do: "POST /api/import", body: two, status: 415, code: "UNSUPPORTED_MEDIA_TYPE", has: []string{"application/x-ndjson"}},
			{says: "an unknown way with conflicts", as: "maker", do: "POST /api/import?on_conflict=replace", body: two, header: lines, status: 400, has: []string{`"on_conflict"`}},
			{says: "an unknown parameter of an export", as: "reader", do: "GET /api/export?type=Person", status: 400, has: []string{`"type"`, "node_type"}},
			{says: "a reserved type of an export", as: "reader", do: "GET /api/export?node_type=_GraphREST_User", status: 400, has: []string{`"node_type"`}},
			{
				says: "import", as: "editor", do: "POST /api/import", body: two, header: lines, status: 200, heads: []string{"Content-Type", "application/x-ndjson"},
				has: []string{`{"data":{"lines":4,"created":3,"updated":0,"skipped":0,"failed":0,"nodes":{"created":2,`, `"edges":{"created":1,`, `"errors":[]`, `"meta":{"status":"success"`},
			},
			{
				says: "export", as: "reader", do: "GET /api/export", status: 200, heads: []string{"Content-Type", "application/x-ndjson", "ETag", ""}, lacks: []string{"uuid"},
				has: []string{
					`{"kind":"types","labels":["Person"]}` + "\n", `{"kind":"node","id":"bob","type":"Person","labels":["Person"],"properties":{}}` + "\n",
					`"met":{"$type":"Date","_value":"2024-05-01"}`, `{"kind":"edge","id":"`, `"target_id":"bob"`, `{"kind":"end","nodes":2,"edges":1}` + "\n",
				},
			},
			{says: "HEAD of an export", as: "reader", do: "HEAD /api/export", status: 200, heads: []string{"Content-Type", "application/x-ndjson"}},
			{says: "export of a type", as: "reader", do: "GET /api/export?edge_type=NOTHING&node_type=Person,City", status: 200, has: []string{`{"kind":"end","nodes":2,"edges":0}`}},
			{
				says: "merge", as: "editor", do: "POST /api/import?on_conflict=merge", body: `{"kind":"node","id":"bob","type":"Person","properties":{"name":"Bob"}}`, header: lines, status: 200,
				has: []string{`"created":0,"updated":1`},
			},
			{says: "what was merged", as: "reader", do: "GET /api/nodes/bob", status: 200, has: []string{`"name":"Bob"`}},
			{
				says: "every mistake at its line", as: "editor", do: "POST /api/import", header: lines, status: 200,
				body: strings.Join([]string{
					`{"kind":"node","id":"bob","type":"Person"}`, `{"kind":"nodes"}`, `not JSON`, `{"kind":"node","properties":{"x":{}}}`,
					`{"kind":"edge","type":"KNOWS","source_id":"bob"}`, `{"kind":"node","type":"Person","properties":{"s":"` + strings.Repeat("a", 1<<20) + `"}}`,
					`{"kind":"node","type":"_GraphrestUser"}`, `{"kind":"node","type":"Person","ref":"","name":1}`, `{"kind":"types","labels":[]}`,
				}, "\n"),
				has: []string{
					`"created":0,"updated":0,"skipped":0,"failed":9,`, `{"line":1,"code":"CONFLICT"`, `{"line":2,"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"kind"`,
					`{"line":3,`, `{"line":4,`, `"field":"properties.x"`, `{"line":5,`, `"field":"target_id"`, `{"line":6,"code":"PAYLOAD_TOO_LARGE"`, `{"line":7,`, `{"line":8,`, `"field":"ref"`, `"field":"name"`, `{"line":9,`,
				},
			},
			{
				says: "ids of one's own choice need edit, UUIDs do not", as: "maker", do: "POST /api/import", header: lines, status: 200,
				body: `{"kind":"node","id":"mine","type":"Person"}` + "\n" + `{"kind":"edge","id":"E1","type":"KNOWS","source_id":"bob","target_id":"bob"}` + "\n" +
					`{"kind":"node","id":"018f0000-0000-7000-8000-00000000ABCD","type":"Person"}` + "\n" + `{"kind":"node","id":"018f0000-0000-7000-8000-00000000abcd","type":"Person"}` + "\n" +
					`{"kind":"node","id":"5:018f0000-0000-7000-8000-00000000abcd:7","type":"Person"}`,
				has: []string{
					`"created":1,`, `"failed":4,`, `{"line":5,`, `{"line":1,"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"id","message":"must be a UUID`, "edit", `{"line":2,`, `{"line":3,`,
				},
			},
			{
				says: "ids that no path can address are refused", as: "editor", do: "POST /api/import", header: lines, status: 200,
				body: `{"kind":"node","id":".","type":"Person"}` + "\n" + `{"kind":"node","id":"..","type":"Person"}` + "\n" + `{"kind":"node","id":"a\u0001","type":"Person"}` + "\n" +
					`{"kind":"node","id":"a/b?c","type":"Person"}`,
				has: []string{`"created":1,`, `"failed":3,`, `{"line":1,"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"id"`, `{"line":2,`, `{"line":3,`},
			},
			{says: "an id with a slash", as: "reader", do: "GET /api/nodes/a%2Fb%3Fc", status: 200, has: []string{`"id":"a/b?c"`}},
			{
				says: "a cut stream is told", as: "maker", do: "POST /api/import", header: lines, status: 200, body: `{"kind":"types","labels":[]}` + "\n" + `{"kind":"node","type":"City"}`,
				has: []string{`"created":1,`, `"failed":1,`, "the stream is cut"},
			},
			{
				says: "so is one with a piece missing", as: "maker", do: "POST /api/import", header: lines, status: 200, body: `{"kind":"node","type":"City"}` + "\n" + `{"kind":"end","nodes":2,"edges":0}`,
				has: []string{`"created":1,`, `"failed":1,`, "says 2, but there were 1"},
			},
			{says: "nothing", as: "maker", do: "POST /api/import", header: lines, status: 200, body: "\n", has: []string{`"lines":1,"created":0`}},
		},
	))
}
