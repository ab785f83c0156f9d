package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// TestRolePreviewCounts: the counts are those of the lists of somebody who has the grants, without a role that has them.
func TestRolePreviewCounts(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "keeper", auth.AllPermissions()...)
	srv.admin(t, "operator", auth.Create, auth.Edit, auth.Delete)
	srv.db.Exec(t, `UNWIND range(1, 20) AS i CREATE (p:Person {n: i, team: CASE WHEN i <= 7 THEN 'a' ELSE 'b' END})
		CREATE (f:Film {n: i}) CREATE (p)-[:LIKES {n: i}]->(f) CREATE (f)-[:SEQUEL]->(f)`, nil)
	srv.db.Exec(t, "CREATE (:Person:Boss {n: 21, team: 'b'})", nil)
	refreshTypeCatalog(t, srv)
	_, err := srv.users.CreateUser(t.Context(), auth.NewUser{
		Username: "bob", Password: password, Attributes: map[string]any{"team": "a"},
	})
	require.NoError(t, err)
	const own = `{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":{"$user":"attributes.team"}}}}`
	preview := func(name, body string, wantBody ...string) step {
		return step{name: name, user: "root", request: "POST /api/admin/roles/preview", body: body, wantStatus: 200, wantBody: wantBody}
	}
	counted := func(typ string, visible, total int) string {
		return fmt.Sprintf(`{"type":%q,"visible":%d,"total":%d}`, typ, visible, total)
	}
	invalid := func(name, body, field string) step {
		return step{
			name: name, user: "root", request: "POST /api/admin/roles/preview", body: body, wantStatus: 400,
			wantBody: []string{fmt.Sprintf(`"field":%q`, field)},
		}
	}
	const empty = `{"grants":[]}`
	runSteps(t, srv, append(
		deniedCases("POST /api/admin/roles/preview", empty, "administrators", "keeper"),
		step{
			name: "without the permission read", user: "operator", request: "POST /api/admin/roles/preview", body: empty, wantStatus: 403,
			wantBody: []string{"this needs the permission read as well"},
		},
		preview("no grants", empty, counted("Person", 0, 21), counted("Film", 0, 20), counted("LIKES", 0, 20)),
		preview("a condition on the user", `{"user":"bob","grants":[`+own+`]}`,
			counted("Person", 7, 21), counted("Boss", 0, 1), counted("LIKES", 0, 20)),
		preview("without a user", `{"grants":[`+own+`]}`, counted("Person", 0, 21)),
		preview("edges between visible nodes", `{"user":"bob","grants":[`+own+`,{"kind":"node","type":"Film","actions":["read"]},
			{"kind":"edge","type":"LIKES","actions":["read"]},{"kind":"edge","type":"SEQUEL","actions":["read"],"where":{"n":{"eq":1}}}]}`,
			counted("Film", 20, 20), counted("LIKES", 7, 20), counted("SEQUEL", 0, 20)),
		preview("a second label", `{"grants":[{"kind":"node","type":"Boss","actions":["read"]}]}`,
			counted("Person", 1, 21), counted("Boss", 1, 1)),
		preview("everything", `{"grants":[{"kind":"node","type":"*","actions":["read"]},{"kind":"edge","type":"*","actions":["read"]}]}`,
			counted("Person", 21, 21), counted("Film", 20, 20), counted("LIKES", 20, 20)),
		preview("another action shows nothing", `{"grants":[{"kind":"node","type":"*","actions":["edit"]}]}`, counted("Person", 0, 21)),
		invalid("no grants at all", `{}`, "grants"),
		invalid("an unknown user", `{"user":"nobody","grants":[]}`, "user"),
		invalid("a wrong grant", `{"grants":[{"kind":"node","type":"A","actions":["look"]}]}`, "grants[0].actions[0]"),
		invalid("a condition on ids", `{"grants":[{"kind":"node","type":"*","actions":["read"],"where":{"uuid":{"exists":true}}}]}`,
			"grants[0].where.uuid.exists"),
		invalid("a name", `{"name":"x","grants":[]}`, "name"),
	))
}

// TestRolePreviewEndsInTime: what cannot be counted in the time is null, and the rest is answered.
func TestRolePreviewEndsInTime(t *testing.T) {
	testmark.Concurrent(t)
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	srv.db.Exec(t, "UNWIND range(1, 20000) AS i CREATE (:Film {n: i}) CREATE (:Person {n: i})", nil)
	refreshTypeCatalog(t, srv)
	const body = `{"grants":[{"kind":"node","type":"Film","actions":["read"]},
		{"kind":"node","type":"Person","actions":["read"],"where":{"n":{"gt":1}}}]}`
	got := srv.send(t, "root", http.MethodPost, "/api/admin/roles/preview", body)
	require.Contains(t, got.body, `{"type":"Person","visible":19999,"total":20000}`)
	options.QueryTimeout = 3 * time.Millisecond // and the margin of a request, in which the schema is read
	url, _ := srv.replica(t, options, time.Hour)
	srv.url = url
	got = srv.send(t, "root", http.MethodPost, "/api/admin/roles/preview", body)
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Contains(t, got.body, `{"type":"Film","visible":20000,"total":20000}`)
	require.Contains(t, got.body, `{"type":"Person","visible":null,"total":20000}`)
}
