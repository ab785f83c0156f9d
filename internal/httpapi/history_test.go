package httpapi_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

const noRecord = `"error":{"code":"NOT_FOUND"`

// The life of a node: its history, its past states, the trash and its restoration.
func TestHistoryConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	srv.user(t, "wil", auth.Create, auth.Edit, auth.Delete)
	before := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	soon := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	runSteps(t, srv, slices.Concat(
		deniedCases("GET /api/nodes/x/history", "", "read", "wil"),
		deniedCases("GET /api/trash", "", "read", "wil"),
		deniedCases("DELETE /api/admin/history/nodes/x", "", "administrators", "ann"),
		[]step{
			{
				name:       "nothing is deleted",
				user:       "ann",
				request:    "GET /api/trash",
				wantStatus: 200,
				wantBody:   []string{`{"data":[],`, `"next_cursor":null`},
			},
			{
				name:       "create",
				user:       "ann",
				request:    "POST /api/nodes",
				body:       `{"type":"Person","properties":{"name":"Ann","big":9223372036854775807}}`,
				wantStatus: 201,
				save:       "node=data.id",
			},
			{
				name:       "create another",
				user:       "ann",
				request:    "POST /api/nodes",
				body:       `{"type":"Person","properties":{}}`,
				wantStatus: 201,
				save:       "other=data.id",
			},
			{
				name:       "create an edge",
				user:       "ann",
				request:    "POST /api/edges",
				body:       `{"type":"KNOWS","source_id":"{node}","target_id":"{other}","properties":{"since":1999}}`,
				wantStatus: 201,
				save:       "edge=data.id",
			},
			{
				name:       "update",
				user:       "ann",
				request:    "PUT /api/nodes/{node}",
				header:     []string{"X-Request-ID", "the-update"},
				body:       `{"properties":{"name":"Anna","born":{"$type":"Date","_value":"1960-01-02"}}}`,
				wantStatus: 200,
				save:       "etag=header:ETag",
			},
			{
				name: "history", user: "ann", request: "GET /api/nodes/{node}/history?limit=1", wantStatus: 200,
				wantBody: []string{
					`"user":"ann","user_id":"`, `"request_id":"the-update","action":"update","kind":"node","entity":"{node}","type":"Person",` +
						`"before":{"properties":{"born":null,"name":"Ann"}},"after":{"properties":{"born":{"$type":"Date","_value":"1960-01-02"},` +
						`"name":"Anna"}},"cause":null,"gap":false}],`,
					`"has_more":true`,
				}, wantHeaders: []string{"Link", `rel="next"`}, save: "cursor=meta.page.next_cursor",
			},
			{
				name: "its next page", user: "ann", request: "GET /api/nodes/{node}/history?limit=1&cursor={cursor}", wantStatus: 200,
				wantBody: []string{
					`"action":"create"`,
					`"before":null,"after":{"id":"{node}","type":"Person","labels":["Person"],"properties":{"big":9223372036854775807,"name":"Ann"}},` +
						`"cause":null,"gap":false}]`, `"has_more":false`,
				}, notInBody: []string{`"update"`},
			},
			{
				name:       "another list's cursor",
				user:       "ann",
				request:    "GET /api/nodes/{other}/history?cursor={cursor}",
				wantStatus: 400,
				wantBody:   []string{`"cursor"`},
			},
			{
				name:       "of an edge",
				user:       "ann",
				request:    "GET /api/edges/{edge}/history",
				wantStatus: 200,
				wantBody: []string{
					`"after":{"id":"{edge}","type":"KNOWS","source_id":"{node}","target_id":"{other}","properties":{"since":1999}}`,
				},
			},
			{name: "of nothing", user: "ann", request: "GET /api/nodes/nothing/history", wantStatus: 404, wantBody: []string{noRecord}},
			{
				name:        "now",
				user:        "ann",
				request:     "GET /api/nodes/{node}?at=" + soon,
				wantStatus:  200,
				wantBody:    []string{`"name":"Anna"`},
				notInBody:   []string{`"gap"`},
				wantHeaders: []string{"ETag", "{etag}", "Graphrest-As-Of", "Z"},
			},
			{
				name:        "before it was created",
				user:        "ann",
				request:     "GET /api/nodes/{node}?at=" + before,
				wantStatus:  404,
				wantHeaders: []string{"Graphrest-As-Of", ""},
			},
			{
				name:       "neither a time nor a change",
				user:       "ann",
				request:    "GET /api/nodes/{node}?at=yesterday",
				wantStatus: 400,
				wantBody:   []string{`"field":"at"`},
			},
			{
				name:       "an empty time",
				user:       "ann",
				request:    "GET /api/edges/{edge}?at=",
				wantStatus: 400,
				wantBody:   []string{`"field":"at"`},
			},
			{name: "delete", user: "ann", request: "DELETE /api/nodes/{node}", wantStatus: 200},
			{
				name:       "trash",
				user:       "ann",
				request:    "GET /api/trash?type=Person&kind=node&user=ann&since=" + before + "&until=" + soon,
				wantStatus: 200,
				wantBody: []string{
					`"kind":"node","id":"{node}","type":"Person","deleted_at":"`, `"user":"ann","edges":1,"caption":"Anna"}],`,
				},
				notInBody: []string{"KNOWS"},
			},
			{name: "of somebody else", user: "ann", request: "GET /api/trash?user=bob", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{
				name:       "every problem of a trash",
				user:       "ann",
				request:    "GET /api/trash?kind=x&since=today&until=2026-11-21&user=&offset=3&limit=0&who=ann",
				wantStatus: 400,
				wantBody: []string{
					`"kind"`, `"since"`, `"until"`, `"user"`, `"offset"`, `"limit"`, `"who"`,
				},
			},
			{
				name:       "the history of a deleted edge",
				user:       "ann",
				request:    "GET /api/edges/{edge}/history?limit=1",
				wantStatus: 200,
				wantBody:   []string{`"action":"delete"`, `"after":null,"cause":{"deleted_with":"{node}"}`},
			},
			{name: "a deleted node now", user: "ann", request: "GET /api/nodes/{node}?at=" + soon, wantStatus: 404},
		},
	))
	t.Run("right after a change", func(t *testing.T) {
		changes := srv.changes(t, "since=0&kind=node&action=update")
		require.Len(t, changes, 1)
		runSteps(t, srv, []step{
			{
				name:        "the node",
				user:        "ann",
				request:     "GET /api/nodes/" + changes[0].Entity + "?at=" + changes[0].ID,
				wantStatus:  200,
				wantBody:    []string{`"name":"Anna"`},
				wantHeaders: []string{"Graphrest-As-Of", changes[0].At},
			},
		})
	})
}

// Undo needs the permission of each reverse operation, answers 409 with the conflicts, and is undone itself.
func TestUndoConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	srv.user(t, "ed", auth.Read, auth.Edit)
	srv.user(t, "del", auth.Delete)
	named := func(id string) []string { return []string{"X-Request-ID", id} }
	const undoCreate = `{"request_id":"the-create"}`
	runSteps(t, srv, slices.Concat(
		deniedCases("POST /api/undo", undoCreate, "create or edit or delete"),
		[]step{
			{
				name:       "create",
				user:       "ann",
				request:    "POST /api/nodes",
				header:     named("the-create"),
				body:       `{"type":"Person","properties":{"n":1}}`,
				wantStatus: 201,
				save:       "node=data.id",
			},
			{
				name:       "no permission to delete",
				user:       "ed",
				request:    "POST /api/undo",
				body:       undoCreate,
				wantStatus: 403,
				wantCode:   "PERMISSION_DENIED",
			},
			{
				name:       "would be undone",
				user:       "del",
				request:    "POST /api/undo",
				body:       `{"request_id":"the-create","dry_run":true}`,
				wantStatus: 200,
				wantBody:   []string{`{"data":{"undone":1,"skipped":[],`, `"ids":{}}`},
			},
			{name: "is still there", user: "ann", request: "GET /api/nodes/{node}", wantStatus: 200, save: "etag=header:ETag"},
			{
				name:       "update",
				user:       "ann",
				request:    "PUT /api/nodes/{node}",
				header:     named("the-update"),
				body:       `{"properties":{"n":2}}`,
				wantStatus: 200,
			},
			{
				name:       "a conflict",
				user:       "ann",
				request:    "POST /api/undo",
				body:       undoCreate,
				wantStatus: 409,
				wantCode:   "CONFLICT",
				wantBody: []string{
					`"details":[{"field":"{node}","message":"`, `]},"meta":{"conflicts":[{"id":"{node}","expected":"`, `","found":"`,
				},
			},
			{
				name:       "without the permission read",
				user:       "del",
				request:    "POST /api/undo",
				body:       undoCreate,
				wantStatus: 409,
				wantBody:   []string{`"expected":null,"found":null`},
			},
			{
				name:       "skipped",
				user:       "ann",
				request:    "POST /api/undo",
				body:       `{"request_id":"the-create","on_conflict":"skip"}`,
				wantStatus: 200,
				wantBody:   []string{`"undone":0,"skipped":[{"id":"{node}","expected":"`, `"changes":[],"ids":{}`},
			},
			{
				name:        "the update",
				user:        "ed",
				request:     "POST /api/undo",
				header:      named("the-undo"),
				body:        `{"request_id":"the-update"}`,
				wantStatus:  200,
				wantBody:    []string{`"undone":1`},
				wantHeaders: []string{"Graphrest-Bookmark", "A"},
			},
			{name: "is undone", user: "ann", request: "GET /api/nodes/{node}", wantStatus: 200, wantBody: []string{`"n":1`}},
			{
				name:       "and recorded",
				user:       "ann",
				request:    "GET /api/nodes/{node}/history?limit=1",
				wantStatus: 200,
				wantBody:   []string{`"user":"ed"`, `"cause":{"undo":"the-update"}`},
			},
			{name: "redo", user: "ann", request: "POST /api/undo", body: `{"request_id":"the-undo"}`, wantStatus: 200},
			{name: "is redone", user: "ann", request: "GET /api/nodes/{node}", wantStatus: 200, wantBody: []string{`"n":2`}},
			{
				name:       "an unknown change",
				user:       "ann",
				request:    "POST /api/undo",
				body:       `{"change":"x"}`,
				wantStatus: 404,
				wantCode:   "NOT_FOUND",
			},
			{
				name:       "an unknown change set",
				user:       "ann",
				request:    "POST /api/undo",
				body:       `{"changeset":"x"}`,
				wantStatus: 404,
				wantCode:   "NOT_FOUND",
			},
			{
				name:       "an unknown import",
				user:       "ann",
				request:    "POST /api/undo",
				body:       `{"import":"x"}`,
				wantStatus: 404,
				wantCode:   "NOT_FOUND",
			},
			{name: "nothing to undo", user: "ann", request: "POST /api/undo", body: `{}`, wantStatus: 400, wantBody: []string{`"body"`}},
			{
				name:       "every problem",
				user:       "ann",
				request:    "POST /api/undo",
				body:       `{"change":"a","import":7,"dry_run":1,"on_conflict":"x","what":1}`,
				wantStatus: 400,
				wantBody: []string{
					`"body"`, `"import"`, `"dry_run"`, `"on_conflict"`, `"what"`,
				},
			},
			{
				name:       "erase",
				user:       "root",
				request:    "DELETE /api/admin/history/nodes/{node}",
				wantStatus: 200,
				wantBody:   []string{`"id":"{node}","erased":4`},
			},
			{name: "no history", user: "ann", request: "GET /api/nodes/{node}/history", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{
				name:       "in the audit",
				user:       "root",
				request:    "GET /api/admin/audit?kind=history",
				wantStatus: 200,
				wantBody:   []string{`"action":"delete","kind":"history","entity":"`, `{node}`},
			},
			{name: "of an unknown kind", user: "root", request: "DELETE /api/admin/history/things/{node}", wantStatus: 404},
		},
	))
}

// Without the journal its routes answer CONFLICT and name the setting; invalid input is still reported first.
func TestHistoryIsOff(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.Journal, o.Undoer = nil, nil })
	for request, body := range map[string]string{
		"GET /api/nodes/x/history": "", "GET /api/edges/x/history": "", "GET /api/nodes/x?at=2026-01-01T00:00:00Z": "",
		"GET /api/edges/x?at=1": "",
		"GET /api/trash":        "", "GET /api/changes": "", "POST /api/undo": `{"change":"x"}`, "DELETE /api/admin/history/edges/x": "",
	} {
		runSteps(
			t,
			srv,
			[]step{
				{
					name:       request,
					user:       "root",
					request:    request,
					body:       body,
					wantStatus: 409,
					wantCode:   "CONFLICT",
					wantBody:   []string{"GRAPHREST_HISTORY=off"},
				},
			},
		)
	}
	runSteps(t, srv, []step{{name: "invalid", user: "root", request: "GET /api/trash?limit=0", wantStatus: 400}})
}
