package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

func batchBody(operations ...string) string {
	return `{"operations":[` + strings.Join(operations, ",") + `]}`
}

func TestBatchConversation(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.MaxBatch = 8 })
	srv.user(t, "reader", auth.Read)
	srv.user(t, "maker", auth.Create)
	srv.user(t, "editor", auth.Read, auth.Create, auth.Edit)
	srv.user(t, "blind", auth.Create, auth.Edit)
	const node, do = `{"op":"create_node","ref":"a","type":"Person","properties":{"n":1}}`, "POST /api/batch"
	const badParts = `{"op":"create_node","type":"_GraphrestUser","labels":["_graphrestX"],"properties":{"a":{"b":1}},"x":1},
		{"op":"create_edge","type":"KNOWS","source_id":{"ref":"later"},"target_id":{"ref":""}},
		{"op":"update_node","id":{"ref":"e","x":1},"properties":[]},
		{"op":"delete_node","id":7,"if_match":"a\"b","detach":1},{"op":"drop"},7,
		{"op":"create_node","ref":"later","type":"Person","properties":{}}`
	runSteps(t, srv, slices.Concat(
		deniedCases(do, batchBody(node), "create or edit or delete", "reader"),
		[]step{
			{
				name: "a permission that one operation lacks, before its problems", user: "maker", request: do,
				wantStatus: 403, wantCode: "PERMISSION_DENIED",
				body: batchBody(node, `{"op":"delete_node"}`), wantBody: []string{`"operations[1].op"`, "the permission delete"},
			},
			{
				name: "every problem of every operation", user: "root", request: do, body: batchBody(badParts),
				wantStatus: 400, wantCode: "VALIDATION_ERROR",
				wantBody: []string{
					`"operations[0].type"`, `"operations[0].labels"`, `"operations[0].properties.a"`, `"operations[0].x"`, `"operations[1].source_id"`,
					`"operations[1].target_id.ref"`, `"operations[2].id.x"`, `"operations[2].properties"`, `"operations[2].id"`, `"operations[3].id"`,
					`"operations[3].if_match"`, `"operations[3].detach"`, `"operations[4].op"`, "create_node, create_edge", `"operations[5]"`,
				},
			},
			{
				name: "the id property together with what the store finds", user: "root", request: do, wantStatus: 400,
				wantCode: "VALIDATION_ERROR", body: batchBody(`{"op":"create_node","type":"Person","properties":{"uuid":"x"}}`,
					`{"op":"create_edge","type":"KNOWS","source_id":"nowhere","target_id":"nothing","properties":{"uuid":"x"}}`,
					`{"op":"create_edge","type":"KNOWS","source_id":"nowhere","target_id":"nothing"}`),
				wantBody: []string{
					`"operations[0].properties.uuid"`, `"operations[1].properties.uuid"`, `"operations[1].source_id"`, `"operations[1].target_id"`,
					`"operations[2].source_id"`, `"operations[2].target_id"`,
				},
			},
			{
				name: "the id property among the other problems", user: "root", request: do, wantStatus: 400, wantCode: "VALIDATION_ERROR",
				body: batchBody(`{"op":"create_node","type":"Person","properties":{"uuid":"x","a":{"b":1}}}`,
					`{"op":"create_edge","type":"KNOWS","source_id":"a","target_id":"b","properties":{"uuid":"x"}}`, `{"op":"drop"}`),
				wantBody: []string{
					`"operations[0].properties.uuid"`, `"operations[0].properties.a"`, `"operations[1].properties.uuid"`, `"operations[2].op"`,
				},
			},
			{
				name: "and of one create", user: "root", request: "POST /api/nodes", wantStatus: 400,
				body: `{"properties":{"uuid":"x","a":{"b":1}}}`, wantBody: []string{`"type"`, `"properties.uuid"`, `"properties.a"`},
			},
			{
				name: "of an edge", user: "root", request: "POST /api/edges", wantStatus: 400,
				body: `{"type":"KNOWS","properties":{"uuid":"x"}}`, wantBody: []string{`"source_id"`, `"target_id"`, `"properties.uuid"`},
			},
			{
				name: "of a line", user: "root", request: "POST /api/import", header: ndjson(), wantStatus: 200,
				body: `{"kind":"node","properties":{"uuid":"x"}}`, wantBody: []string{`"type"`, `"properties.uuid"`},
			},
			{
				name: "of a proposal", user: "root", request: "POST /api/changesets", wantStatus: 400,
				body:     `{"operations":[{"op":"create_node","type":"Person","properties":{"uuid":"x"}}]}`,
				wantBody: []string{`"title"`, `"operations[0].properties.uuid"`},
			},
			{
				name: "a node to update", user: "editor", request: "POST /api/nodes", body: `{"type":"Person","properties":{"a":"x"}}`,
				wantStatus: 201, save: "updated=data.id",
			},
			{
				name: "of an update, with what is too large", user: "editor", request: "PUT /api/nodes/{updated}", wantStatus: 400,
				body:     `{"properties":{"uuid":"x","a":"` + strings.Repeat("x", 65<<10) + `"}}`,
				wantBody: []string{`"properties.uuid"`, `"properties.a"`},
			},
			{name: "no operations", user: "root", request: do, body: batchBody(), wantStatus: 400, wantBody: []string{`"operations"`, "1 to 8"}},
			{
				name: "too many", user: "root", request: do,
				body:       batchBody(slices.Repeat([]string{`{"op":"create_node","type":"T","properties":{}}`}, 9)...),
				wantStatus: 400, wantBody: []string{`"operations"`, "1 to 8"},
			},
			{
				name: "no member", user: "root", request: do, body: `{"dry_run":true}`,
				wantStatus: 400, wantBody: []string{`"operations"`, `"dry_run"`},
			},
			{
				name: "an unknown value", user: "root", request: do + "?dry_run=yes", body: batchBody(node),
				wantStatus: 400, wantBody: []string{`"dry_run"`},
			},
			{
				name: "a ref twice", user: "root", request: do, body: batchBody(node, node), wantStatus: 400,
				wantBody: []string{`"operations[1].ref"`, "operations[0]"},
			},
			{
				name: "a ref of another kind", user: "root", request: do, wantStatus: 400, wantBody: []string{`"operations[1].id"`, "an edge"},
				body: batchBody(node, `{"op":"update_edge","id":{"ref":"a"},"properties":{}}`),
			},
			{
				name: "applied", user: "editor", request: do, body: batchBody(node), wantStatus: 200, save: "bookmark=header:Graphrest-Bookmark",
				wantBody: []string{
					`{"data":{"applied":true,"results":[{"op":"create_node","id":"`, `","ref":"a","data":{"id":"`,
					`"type":"Person","labels":["Person"],"properties":{"n":1}}}]}`,
				},
			},
			{
				name: "a dry run", user: "editor", request: do + "?dry_run=true", body: batchBody(node),
				wantStatus: 200, wantBody: []string{`"applied":false`},
				wantHeaders: []string{"Idempotent-Replayed", ""},
			},
			{
				name: "an ETag without quotes", user: "editor", request: do, wantStatus: 412, wantBody: []string{`"operations[1].if_match"`},
				body: batchBody(node, `{"op":"update_node","id":{"ref":"a"},"properties":{},"if_match":"abc"}`),
			},
			{
				name: "without read an update answers id and type, and no ETag matches", user: "blind", request: do, wantStatus: 200,
				body:     batchBody(node, `{"op":"update_node","id":{"ref":"a"},"properties":{"m":2},"if_match":"*"}`),
				wantBody: []string{`"type":"Person"}}]`}, notInBody: []string{`"m":2`},
			},
			{
				name: "without read, explained", user: "blind", request: do,
				wantStatus: 412, wantBody: []string{`"operations[1].if_match"`, "permission read"},
				body: batchBody(node, `{"op":"update_node","id":{"ref":"a"},"properties":{"m":2},"if_match":"abc"}`),
			},
		},
	))
	require.NotEmpty(t, srv.audit(t, "action=create&kind=node&user=editor"))
	srv.auditBuffer.Flush(t.Context())
	require.NotEmpty(t, srv.audit(t, "kind=route&user=maker"), "the refusal is recorded")
}

func TestABatchCountsByItsOperations(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.RateLimit = 10 })
	srv.user(t, "ann", auth.Create)
	send := func(n int) reply {
		operations := make([]string, n)
		for i := range operations {
			operations[i] = fmt.Sprintf(`{"op":"create_node","type":"Person","properties":{"n":%d}}`, i)
		}
		return srv.send(t, "ann", "POST", "/api/batch", batchBody(operations...))
	}
	left := func(r reply) string { return r.header.Get("X-RateLimit-Remaining") }
	r := send(100)
	require.Equal(t, []any{200, "9"}, []any{r.status, left(r)}, r.body)
	r = send(401)
	require.Equal(t, []any{200, "4"}, []any{r.status, left(r)}, r.body)
	r = send(401)
	require.Equal(t, 429, r.status, r.body)
	require.NotEmpty(t, r.header.Get("Retry-After"))
	r = send(301)
	require.Equal(t, []any{200, "0"}, []any{r.status, left(r)}, r.body)
	require.Equal(t, 429, send(1).status)
	require.EqualValues(t, 802, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}
