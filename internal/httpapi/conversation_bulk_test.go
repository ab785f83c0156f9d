package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"graphrest/internal/auth"
	"graphrest/internal/neo4jtest"
)

func TestBulkConversation(t *testing.T) {
	srv := newTestServerOn(t, neo4jtest.Open(t), nil) // an export names the managed types
	srv.user(t, "reader", auth.Read)
	srv.user(t, "maker", auth.Create)
	srv.user(t, "editor", auth.Create, auth.Edit)
	lines := []string{"Content-Type", "application/x-ndjson"}
	const two = `{"kind":"node","ref":"a","type":"Person","properties":{"name":"Ann","met":{"$type":"Date","_value":"2024-05-01"}}}` + "\n" +
		`{"kind":"node","id":"bob","type":"Person"}` + "\r\n\n" + `{"kind":"edge","type":"KNOWS","source_ref":"a","target_id":"bob"}`
	runSteps(t, srv, slices.Concat(
		deniedCases("POST /api/import", two, "create", "reader"),
		deniedCases("GET /api/export", "", "read", "maker"),
		[]step{
			{
				name: "merging needs edit as well", user: "maker", request: "POST /api/import?on_conflict=merge", body: two, header: lines,
				wantStatus: 403, wantCode: "PERMISSION_DENIED", wantBody: []string{"edit"},
			},
			{
				name: "import as JSON", user: "maker", request: "POST /api/import", body: two, wantStatus: 415, wantCode: "UNSUPPORTED_MEDIA_TYPE",
				wantBody: []string{"application/x-ndjson"},
			},
			{
				name: "an unknown way with conflicts", user: "maker", request: "POST /api/import?on_conflict=replace", body: two, header: lines,
				wantStatus: 400, wantBody: []string{`"on_conflict"`},
			},
			{
				name: "an unknown parameter of an export", user: "reader", request: "GET /api/export?type=Person", wantStatus: 400,
				wantBody: []string{`"type"`, "node_type"},
			},
			{
				name: "a reserved type of an export", user: "reader", request: "GET /api/export?node_type=_GraphREST_User", wantStatus: 400,
				wantBody: []string{`"node_type"`},
			},
			{
				name: "import", user: "editor", request: "POST /api/import", body: two, header: lines, wantStatus: 200,
				wantHeaders: []string{"Content-Type", "application/x-ndjson"},
				wantBody: []string{
					`{"data":{"lines":4,"created":3,"updated":0,"skipped":0,"failed":0,"nodes":{"created":2,`, `"edges":{"created":1,`, `"errors":[]`,
					`"meta":{"status":"success"`,
				},
			},
			{
				name: "export", user: "reader", request: "GET /api/export", wantStatus: 200,
				wantHeaders: []string{"Content-Type", "application/x-ndjson", "ETag", ""}, notInBody: []string{"uuid"},
				wantBody: []string{
					`{"kind":"types","labels":["Person"]}` + "\n", `{"kind":"node","id":"bob","type":"Person","labels":["Person"],"properties":{}}` + "\n",
					`"met":{"$type":"Date","_value":"2024-05-01"}`, `{"kind":"edge","id":"`, `"target_id":"bob"`,
					`{"kind":"end","nodes":2,"edges":1}` + "\n",
				},
			},
			{
				name: "HEAD of an export", user: "reader", request: "HEAD /api/export", wantStatus: 200,
				wantHeaders: []string{"Content-Type", "application/x-ndjson"},
			},
			{
				name: "export of a type", user: "reader", request: "GET /api/export?edge_type=NOTHING&node_type=Person,City", wantStatus: 200,
				wantBody: []string{`{"kind":"end","nodes":2,"edges":0}`},
			},
			{
				name: "merge", user: "editor", request: "POST /api/import?on_conflict=merge", // after a byte order mark
				body: "\ufeff" + `{"kind":"node","id":"bob","type":"Person","properties":{"name":"Bob"}}`, header: lines, wantStatus: 200,
				wantBody: []string{`"created":0,"updated":1`},
			},
			{name: "what was merged", user: "reader", request: "GET /api/nodes/bob", wantStatus: 200, wantBody: []string{`"name":"Bob"`}},
			{
				name: "every problem at its line", user: "editor", request: "POST /api/import", header: lines, wantStatus: 200,
				body: strings.Join([]string{
					`{"kind":"node","id":"bob","type":"Person"}`, `{"kind":"nodes"}`, `not JSON`, `{"kind":"node","properties":{"x":{}}}`,
					`{"kind":"edge","type":"KNOWS","source_id":"bob"}`,
					`{"kind":"node","type":"Person","properties":{"s":"` + strings.Repeat("a", 1<<20) + `"}}`,
					`{"kind":"node","type":"_GraphrestUser"}`, `{"kind":"node","type":"Person","ref":"","name":1}`, `{"kind":"types","labels":[]}`,
				}, "\n"),
				wantBody: []string{
					`"created":0,"updated":0,"skipped":0,"failed":9,`, `{"line":1,"code":"CONFLICT"`,
					`{"line":2,"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"kind"`,
					`{"line":3,`, `{"line":4,`, `"field":"properties.x"`, `{"line":5,`, `"field":"target_id"`, `{"line":6,"code":"PAYLOAD_TOO_LARGE"`,
					`{"line":7,`, `{"line":8,`, `"field":"ref"`, `"field":"name"`, `{"line":9,`,
				},
			},
			{
				name: "all errors, where the last line has the first 100", user: "editor", request: "POST /api/import?errors=all", header: lines,
				wantStatus: 200,
				body:       strings.Repeat(`{"kind":"node","type":"Person"}`+"\n", 2) + strings.Repeat("{}\n", 150),
				wantBody:   []string{`{"errors":[{"line":3,`, `{"line":152,`, `"created":2,`, `"failed":150,`},
			},
			{
				name: "ids of one's own choice need edit, UUIDs do not", user: "maker", request: "POST /api/import", header: lines, wantStatus: 200,
				body: `{"kind":"node","id":"mine","type":"Person"}` + "\n" +
					`{"kind":"edge","id":"E1","type":"KNOWS","source_id":"bob","target_id":"bob"}` + "\n" +
					`{"kind":"node","id":"018f0000-0000-7000-8000-00000000ABCD","type":"Person"}` + "\n" +
					`{"kind":"node","id":"018f0000-0000-7000-8000-00000000abcd","type":"Person"}` + "\n" +
					`{"kind":"node","id":"5:018f0000-0000-7000-8000-00000000abcd:7","type":"Person"}`,
				wantBody: []string{
					`"created":1,`, `"failed":4,`, `{"line":5,`,
					`{"line":1,"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"id","message":"must be a UUID`, "edit",
					`{"line":2,`, `{"line":3,`,
				},
			},
			{
				name: "ids that no path can address are refused", user: "editor", request: "POST /api/import", header: lines, wantStatus: 200,
				body: `{"kind":"node","id":".","type":"Person"}` + "\n" + `{"kind":"node","id":"..","type":"Person"}` + "\n" +
					`{"kind":"node","id":"a\u0001","type":"Person"}` + "\n" +
					`{"kind":"node","id":"a/b?c","type":"Person"}`,
				wantBody: []string{
					`"created":1,`, `"failed":3,`, `{"line":1,"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"id"`, `{"line":2,`,
					`{"line":3,`,
				},
			},
			{name: "an id with a slash", user: "reader", request: "GET /api/nodes/a%2Fb%3Fc", wantStatus: 200, wantBody: []string{`"id":"a/b?c"`}},
			{
				name: "a truncated stream is reported", user: "maker", request: "POST /api/import", header: lines, wantStatus: 200,
				body:     `{"kind":"types","labels":[]}` + "\n" + `{"kind":"node","type":"City"}`,
				wantBody: []string{`"created":1,`, `"failed":1,`, "the stream is truncated"},
			},
			{
				name: "so is one with a piece missing", user: "maker", request: "POST /api/import", header: lines, wantStatus: 200,
				body:     `{"kind":"node","type":"City"}` + "\n" + `{"kind":"end","nodes":2,"edges":0}`,
				wantBody: []string{`"created":1,`, `"failed":1,`, "is 2, but the stream has 1"},
			},
			{
				name: "nothing", user: "maker", request: "POST /api/import", header: lines, wantStatus: 200, body: "\n",
				wantBody: []string{`"lines":1,"created":0`},
			},
		},
	))
}
