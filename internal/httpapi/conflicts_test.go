package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// A route whose row gives a reason for CONFLICT answers it for that reason. The others get a request like it too: what they answer must be
// described (checkDocumented).
func TestRoutesAnswerTheirConflicts(t *testing.T) {
	testmark.Long(t)
	reasons := map[httpapi.Conflict]bool{}
	for _, r := range httpapi.Routes() {
		for _, reason := range r.Conflicts() {
			reasons[reason] = true
		}
	}
	require.Equal(t, map[httpapi.Conflict]bool{
		"changes are not recorded": true, "a constraint in the database": true,
		"more than one node has the id": true, "more than one edge has the id": true,
	}, reasons)
	t.Run("changes are not recorded", func(t *testing.T) {
		srv := newTestServer(t, func(o *httpapi.Options) { o.Journal, o.Undoer, o.Webhooks = nil, nil, nil })
		one := srv.target(t)
		bodies := map[string]string{
			"POST /api/admin/webhooks":        `{"name":"hook","url":"https://93.184.216.34/"}`,
			"PUT /api/admin/webhooks/:name":   `{"enabled":false}`,
			"PATCH /api/admin/webhooks/:name": `{"enabled":false}`,
		}
		requireConflicts(t, srv, "changes are not recorded", "GRAPHREST_HISTORY=off", func(r httpapi.Route) (path, body string) {
			path, body, _ = one.request(r)
			if hook, has := bodies[r.Method+" "+r.Path]; has {
				body = hook
			}
			return path, body
		})
	})
	t.Run("a constraint in the database", func(t *testing.T) {
		srv := newTestServer(t, nil)
		one := srv.target(t)
		srv.db.Exec(t, "CREATE CONSTRAINT one_secret FOR (n:Person) REQUIRE n.n IS UNIQUE", nil)
		srv.db.Exec(t, "CREATE CONSTRAINT one_meeting FOR ()-[r:KNOWS]-() REQUIRE r.n IS UNIQUE", nil)
		srv.db.Exec(t, "CREATE (:Person {n: 1})-[:KNOWS {n: 1}]->(:Person {n: 2})", nil)
		requireConflicts(t, srv, "a constraint in the database", "constraint", func(r httpapi.Route) (path, body string) {
			path, body, _ = one.request(r)
			if r.Method == http.MethodPost && r.Path == "/api/edges" {
				body = fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q,"properties":{"n":1}}`, one.node, one.other)
			}
			return path, body
		})
	})
	t.Run("more than one node has the id", func(t *testing.T) {
		srv := newTestServer(t, nil)
		one := srv.target(t)
		r := srv.send(t, "root", http.MethodPost, "/api/nodes", `{"type":"Copy","properties":{}}`)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		srv.db.Exec(t, "MATCH (n) WHERE n:Copy OR n.uuid = $id SET n.uuid = 'shared'", map[string]any{"id": one.node})
		one.node = "shared"
		requireConflicts(t, srv, "more than one node has the id", "more than one node", func(r httpapi.Route) (path, body string) {
			path, body, _ = one.request(r)
			switch {
			case r.Path == "/api/edges" && r.Method != http.MethodPost:
				path += "?node_id=" + one.node
			case r.Path == "/api/aggregate/edges":
				path += "&node_id=" + one.node
			}
			return path, body
		})
	})
	t.Run("more than one edge has the id", func(t *testing.T) {
		srv := newTestServer(t, nil)
		one := srv.target(t)
		r := srv.send(t, "root", http.MethodPost, "/api/edges", fmt.Sprintf(`{"type":"COPY","source_id":%q,"target_id":%q}`, one.other, one.node))
		require.Equal(t, http.StatusCreated, r.status, r.body)
		srv.db.Exec(t, "MATCH ()-[r]->() WHERE r:COPY OR r.uuid = $id SET r.uuid = 'shared'", map[string]any{"id": one.edge})
		one.edge = "shared"
		requireConflicts(t, srv, "more than one edge has the id", "more than one edge", func(r httpapi.Route) (path, body string) {
			path, body, _ = one.request(r)
			if r.Path == "/api/admin/history/:kind/:id" {
				path = "/api/admin/history/edges/" + one.edge
			}
			return path, body
		})
	})
}

// requireConflicts sends a request to every route. Those whose row gives the reason come first and must answer CONFLICT with the message.
func requireConflicts(
	t *testing.T, srv *testServer, reason httpapi.Conflict, message string, request func(httpapi.Route) (path, body string),
) {
	t.Helper()
	var marked, others []httpapi.Route
	for _, r := range protectedRoutes() {
		if slices.Contains(r.Conflicts(), reason) {
			marked = append(marked, r)
		} else {
			others = append(others, r)
		}
	}
	require.NotEmpty(t, marked)
	for _, r := range marked {
		path, body := request(r)
		got := srv.send(t, "root", r.Method, path, body)
		where := r.Method + " " + path
		require.Equal(t, http.StatusConflict, got.status, "%s: %s", where, got.body)
		if r.Method != http.MethodHead {
			require.Contains(t, got.body, message, where)
		}
	}
	for _, r := range others {
		path, body := request(r)
		srv.send(t, "root", r.Method, path, body)
	}
}
