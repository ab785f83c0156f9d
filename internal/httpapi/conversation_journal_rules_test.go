package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

func created(name, request, body string, header ...string) step {
	return step{name: name, user: "root", request: request, body: body, header: header, wantStatus: 201, save: name + "=data.id"}
}

// A node that leaves the view and comes back is shown as far as it was in the view; its edges are shown while it is in the view.
func TestHistoryOfWhatLeavesTheView(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", `[{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":"blue"}},"hidden":["salary"]},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	srv.withRole(t, "eve", `[{"kind":"node","type":"City","actions":["read"]}]`)
	past := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	change := func(name, properties string) step {
		return step{name: name, user: "root", request: "PUT /api/nodes/{node}", body: `{"properties":` + properties + `}`, wantStatus: 200}
	}
	read := func(name, request string, wantBody ...string) step {
		return step{name: name, user: "bob", request: request, wantStatus: 200, wantBody: wantBody, notInBody: []string{"code", "salary", "red"}}
	}
	missing := func(name, user, request string) step {
		return step{name: name, user: user, request: request, wantStatus: 404, wantCode: "NOT_FOUND"}
	}
	runSteps(t, srv, []step{
		created("node", "POST /api/nodes", `{"type":"Person","properties":{"team":"blue","name":"Ann","salary":1}}`),
		created("other", "POST /api/nodes", `{"type":"Person","properties":{"team":"blue"}}`),
		created("edge", "POST /api/edges", `{"type":"KNOWS","source_id":"{node}","target_id":"{other}"}`),
		change("hidden only", `{"salary":2}`),
		read("is left out", "GET /api/nodes/{node}/history", `{"data":[{"id":"`, `"action":"create"`, `"has_more":false`),
		change("leaves", `{"team":"red","name":"code"}`),
		read("the change that it left by", "GET /api/nodes/{node}/history?limit=1",
			`"action":"update"`, `"before":{"properties":{"name":"Ann","team":"blue"}},"after":null,`),
		missing("it is not there", "bob", "GET /api/nodes/{node}"),
		missing("nor is it then", "bob", "GET /api/nodes/{node}?at="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339)),
		missing("before any record as if it did not exist", "bob", "GET /api/nodes/{node}?at="+past),
		missing("nor is its edge", "bob", "GET /api/edges/{edge}/history"),
		missing("as it was", "bob", "GET /api/edges/{edge}?at="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339)),
		change("outside", `{"name":"code 2","salary":3}`),
		change("comes back", `{"team":"blue","name":"Anna"}`),
		read("the change that it came by", "GET /api/nodes/{node}/history?limit=1",
			`"action":"update"`, `"before":null,"after":{"properties":{"name":"Anna","team":"blue"}},`),
		read("the edge is back", "GET /api/edges/{edge}/history", `"action":"create"`),
		{name: "delete", user: "root", request: "DELETE /api/nodes/{node}", wantStatus: 200},
		read("trash", "GET /api/trash", `"id":"{node}"`, `"edges":1,"caption":"Anna"`),
		read("deleted", "GET /api/nodes/{node}/history?limit=1", `"action":"delete","kind":"node","entity":"{node}","type":"Person",`+
			`"before":{"id":"{node}","type":"Person","labels":["Person"],"properties":{"name":"Anna","team":"blue"}},"after":null`),
		read("its edge by the state of then", "GET /api/edges/{edge}/history", `"action":"delete"`, `"action":"create"`),
		missing("another user's view", "eve", "GET /api/nodes/{node}/history"),
		{
			name: "nobody's trash", user: "eve", request: "GET /api/trash", wantStatus: 200, wantBody: []string{`"data":[]`},
			notInBody: []string{"{node}"},
		},
		{name: "of edges", user: "eve", request: "GET /api/edges/{edge}/history", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
	})
}

// The ends of a recorded edge without their own ids, and ends of which nothing is known.
func TestRecordedEndsOfEdges(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", `[{"kind":"node","type":"Old","actions":["read"],"where":{"open":{"eq":true}}},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	row := srv.db.Query(t, `CREATE (a:Old {open: true})-[r:LINK]->(b:Old {open: true})-[s:LINK]->(c:Old {open: false})
		RETURN [elementId(a), elementId(b), elementId(c)] AS nodes, [elementId(r), elementId(s)] AS edges`, nil)[0]
	nodes, edges := row["nodes"].([]any), row["edges"].([]any)
	for _, edge := range edges {
		r := srv.send(t, "root", http.MethodPut, "/api/edges/"+edge.(string), `{"properties":{"n":1}}`)
		require.Equal(t, http.StatusOK, r.status, r.body)
	}
	history := func(edge any) int {
		return srv.send(t, "bob", http.MethodGet, "/api/edges/"+edge.(string)+"/history", "").status
	}
	require.Equal(t, []int{200, 404}, []int{history(edges[0]), history(edges[1])}, "by the nodes of now")
	require.Equal(t, http.StatusOK, srv.send(t, "root", http.MethodDelete, "/api/nodes/"+nodes[0].(string), "").status)
	require.Equal(t, []int{200, 404}, []int{history(edges[0]), history(edges[1])}, "by the record of the deletion")
	srv.db.Exec(t, "MATCH (b) WHERE elementId(b) = $id DETACH DELETE b", map[string]any{"id": nodes[1]})
	require.Equal(t, []int{404, 404}, []int{history(edges[0]), history(edges[1])}, "of an end that was deleted in Cypher nothing is known")
	feed := srv.send(t, "bob", http.MethodGet, "/api/changes?since=0", "")
	require.NotContains(t, feed.body, edges[0])
	require.Contains(t, feed.body, nodes[0])
}

// Positions of the feed tell nothing of changes that are not visible, and one that a user made up is rejected.
func TestFeedCursorsOfPartialViews(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", `[{"kind":"node","type":"City","actions":["read"]}]`)
	runSteps(t, srv, []step{
		created("node", "POST /api/nodes", `{"type":"Person","properties":{}}`),
		{
			name: "an empty page", user: "bob", request: "GET /api/changes?since=0", wantStatus: 200,
			wantBody: []string{`"data":[]`, `"has_more":false`}, save: "cursor=meta.page.next_cursor",
		},
		created("city", "POST /api/nodes", `{"type":"City","properties":{}}`),
		{
			name: "goes on", user: "bob", request: "GET /api/changes?since={cursor}&limit=1&wait=10", wantStatus: 200,
			wantBody: []string{`"entity":"{city}"`}, notInBody: []string{"{node}"},
		},
		{name: "an administrator's", user: "root", request: "GET /api/changes?since=0", wantStatus: 200, save: "plain=meta.page.next_cursor"},
		{name: "is rejected", user: "bob", request: "GET /api/changes?since={plain}", wantStatus: 400, wantBody: []string{`"field":"since"`}},
		{name: "now", user: "bob", request: "GET /api/changes", wantStatus: 200, save: "now=meta.page.next_cursor"},
		{name: "from now", user: "bob", request: "GET /api/changes?since={now}", wantStatus: 200, wantBody: []string{`"data":[]`}},
	})
}

// A caption in the trash is that of the shown properties, and the last changes are the last visible ones.
func TestCaptionsAndLastChangesOfPartialViews(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", `[{"kind":"node","type":"Person","actions":["read"],"hidden":["name"]}]`)
	read := func(name, request string, wantBody ...string) step {
		return step{name: name, user: "bob", request: request, wantStatus: 200, wantBody: wantBody, notInBody: []string{"Hidden", "Film"}}
	}
	runSteps(t, srv, []step{
		created("named", "POST /api/nodes", `{"type":"Person","properties":{"name":"Hidden 1"}}`),
		created("noted", "POST /api/nodes", `{"type":"Person","properties":{"name":"Hidden 2","note":"an alias"}}`),
		{name: "delete", user: "root", request: "DELETE /api/nodes/{named}", wantStatus: 200},
		{name: "delete the other", user: "root", request: "DELETE /api/nodes/{noted}", wantStatus: 200},
		created("film", "POST /api/nodes", `{"type":"Film","properties":{"name":"Film 1"}}`),
		{name: "delete it", user: "root", request: "DELETE /api/nodes/{film}", wantStatus: 200},
		read("trash", "GET /api/trash", `"id":"{named}"`, `"caption":null`, `"id":"{noted}"`, `"caption":"an alias"`),
		read("the last change", "GET /api/changes?last=1", `"action":"delete","kind":"node","entity":"{noted}"`),
		read("the last creation", "GET /api/changes?last=1&action=create", `"action":"create","kind":"node","entity":"{noted}"`),
		read("all", "GET /api/changes?last=1000", `"entity":"{named}"`, `"entity":"{noted}"`),
	})
}

// A stream of events follows the roles of its user: after a change of them it goes on with the view of then.
func TestEventsFollowRoles(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", `[{"kind":"node","type":"City","actions":["read"]}]`)
	post := func(typ, name string) {
		r := srv.send(t, "root", http.MethodPost, "/api/nodes", fmt.Sprintf(`{"type":%q,"properties":{"name":%q}}`, typ, name))
		require.Equal(t, http.StatusCreated, r.status, r.body)
	}
	setRole := func(grants string) {
		parsed, f := rules.ParseGrants("grants", grants)
		require.Nil(t, f)
		_, err := srv.users.UpdateRole(t.Context(), "role of bob", auth.RoleChange{Grants: &parsed})
		require.NoError(t, err)
	}
	events := srv.openEvents(t, srv.url, "bob", "?since=0")
	post("Person", "hidden 1")
	post("City", "Rome")
	require.Contains(t, events.readUntil(t, "data:"), "Rome")
	setRole(`[{"kind":"node","type":"Person","actions":["read"],"hidden":["name"]}]`)
	post("City", "Oslo")
	post("Person", "hidden 2")
	shown := events.readUntil(t, "data:")
	require.Contains(t, shown, `"type":"Person"`)
	require.NotContains(t, shown, "hidden 2")
	setRole(`[{"kind":"node","type":"Person","actions":["edit"]}]`)
	require.Equal(t, "event: error\n", events.readUntil(t, "event:"))
	require.Contains(t, events.readUntil(t, "data:"), "PERMISSION_DENIED")
}

// Undo checks each reversal as a separate write.
func TestUndoObeysRules(t *testing.T) {
	srv := newTestServer(t, nil)
	const grants = `[
		{"kind":"node","type":"Person","actions":["read","edit"],"where":{"team":{"eq":"blue"}},"hidden":["salary"],"read_only":["rank"]},
		{"kind":"node","type":"Film","actions":["read","create","delete"],"where":{"open":{"eq":true}},"hidden":["cost"]},
		{"kind":"node","type":"Film","actions":["create"],"where":{"free":{"eq":true}}},
		{"kind":"edge","type":"KNOWS","actions":["read","create","delete"]},{"kind":"edge","type":"LIKES","actions":["read"]}]`
	srv.withRole(t, "bob", grants)
	root := func(name, request, body, id string) step {
		return step{name: name, user: "root", request: request, body: body, header: []string{"X-Request-ID", id}, wantStatus: 200}
	}
	makeAs := func(name, request, body string) step {
		return created(name, request, body, "X-Request-ID", "make-"+name)
	}
	undo := func(name, body string, status int, code string, wantBody ...string) step {
		return step{
			name: name, user: "bob", request: "POST /api/undo", body: body, wantStatus: status, wantCode: code, wantBody: wantBody,
			notInBody: []string{"salary", "cost", "red"},
		}
	}
	steps := []step{
		makeAs("ann", "POST /api/nodes", `{"type":"Person","properties":{"team":"blue","rank":1}}`),
		makeAs("cid", "POST /api/nodes", `{"type":"Person","properties":{"team":"red"}}`),
		makeAs("film", "POST /api/nodes", `{"type":"Film","properties":{"open":true}}`),
		makeAs("knows", "POST /api/edges", `{"type":"KNOWS","source_id":"{ann}","target_id":"{film}"}`),
		makeAs("likes", "POST /api/edges", `{"type":"LIKES","source_id":"{ann}","target_id":"{ann}"}`),
		root("visible", "PUT /api/nodes/{ann}", `{"properties":{"name":"Anna"}}`, "visible"),
		undo("dry run", `{"request_id":"visible","dry_run":true}`, 200, "", `"undone":1`),
		undo("an update", `{"request_id":"visible"}`, 200, "", `"undone":1`),
		root("a hidden property", "PUT /api/nodes/{ann}", `{"properties":{"salary":1}}`, "salary"),
		undo("does not exist", `{"request_id":"salary"}`, 404, "NOT_FOUND"),
		root("a hidden one too", "PUT /api/nodes/{ann}", `{"properties":{"salary":2,"name":"A"}}`, "both"),
		undo("cannot be written", `{"request_id":"both"}`, 403, "PERMISSION_DENIED", `"details":[]`),
		root("a read-only one", "PUT /api/nodes/{ann}", `{"properties":{"rank":2}}`, "rank"),
		undo("is named", `{"request_id":"rank","dry_run":true}`, 403, "PERMISSION_DENIED", `"field":"properties.rank"`),
		root("an invisible node", "PUT /api/nodes/{cid}", `{"properties":{"name":"red"}}`, "cid"),
		undo("of an invisible node", `{"request_id":"cid"}`, 404, "NOT_FOUND"),
		undo("creation of it", `{"request_id":"make-cid"}`, 404, "NOT_FOUND"),
		undo("unknown", `{"request_id":"nothing"}`, 404, "NOT_FOUND"),
		undo("no grant to delete", `{"request_id":"make-ann"}`, 403, "PERMISSION_DENIED"),
		undo("an attached edge", `{"request_id":"make-film"}`, 409, "CONFLICT", "attached since"),
		undo("no grant to delete an edge", `{"request_id":"make-likes"}`, 403, "PERMISSION_DENIED"),
		undo("skipping does not help", `{"request_id":"make-likes","on_conflict":"skip"}`, 403, "PERMISSION_DENIED"),
		root("leaves", "PUT /api/nodes/{ann}", `{"properties":{"team":"red"}}`, "leave"),
		undo("is visible and denied", `{"request_id":"leave"}`, 403, "PERMISSION_DENIED"),
		undo("an edge of it does not exist for the user", `{"request_id":"make-knows","dry_run":true}`, 404, "NOT_FOUND"),
		undo("a conflict shows no version of the invisible", `{"request_id":"visible"}`, 409, "CONFLICT", `"found":null`, "was deleted since"),
		root("comes back", "PUT /api/nodes/{ann}", `{"properties":{"team":"blue"}}`, "back"),
		root("delete a film", "DELETE /api/nodes/{film}", "", "gone"),
		undo("a deletion", `{"request_id":"gone"}`, 200, "", `"undone":2`),
		root("a hidden value", "PUT /api/nodes/{film}", `{"properties":{"cost":7}}`, "cost"),
		root("delete again", "DELETE /api/nodes/{film}", "", "gone2"),
		undo("would write it", `{"request_id":"gone2"}`, 403, "PERMISSION_DENIED", `"details":[]`),
		{name: "restored", user: "root", request: "POST /api/undo", body: `{"request_id":"gone2"}`, wantStatus: 200},
		root("hidden edges", "DELETE /api/nodes/{ann}", "", "gone3"),
		undo("are denied", `{"request_id":"gone3"}`, 403, "PERMISSION_DENIED"),
	}
	runSteps(t, srv, steps)
	for id, code := range map[string]string{"cid": "NOT_FOUND", "rank": "PERMISSION_DENIED"} {
		body := fmt.Sprintf(`{"user":"bob","method":"POST","path":"/api/undo","body":{"request_id":%q}}`, id)
		explained := srv.send(t, "root", http.MethodPost, "/api/admin/explain", body)
		require.Contains(t, explained.body, `"code":"`+code+`"`)
	}
}

// TestUndoNeedsPermissionOrGrants: what a permission allows, an undo does whatever the roles of the user are.
func TestUndoNeedsPermissionOrGrants(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", `[{"kind":"edge","type":"KNOWS","actions":["read"]},{"kind":"node","type":"Film","actions":["read"]}]`,
		auth.Create, auth.Edit, auth.Delete)
	undo := func(id string) step {
		body := `{"request_id":"` + id + `"}`
		return step{name: "undo " + id, user: "bob", request: "POST /api/undo", body: body, wantStatus: 200, wantBody: []string{`"undone":1`}}
	}
	root := func(request, body, id string) step {
		return step{name: id, user: "root", request: request, body: body, header: []string{"X-Request-ID", id}, wantStatus: 200}
	}
	runSteps(t, srv, []step{
		created("ann", "POST /api/nodes", `{"type":"Person","properties":{}}`),
		created("knows", "POST /api/edges", `{"type":"KNOWS","source_id":"{ann}","target_id":"{ann}","properties":{"n":1}}`),
		root("PUT /api/edges/{knows}", `{"properties":{"n":2}}`, "change"),
		undo("change"),
		root("DELETE /api/edges/{knows}", "", "remove"),
		undo("remove"),
		created("likes", "POST /api/edges", `{"type":"LIKES","source_id":"{ann}","target_id":"{ann}"}`, "X-Request-ID", "like"),
		undo("like"),
	})
}
