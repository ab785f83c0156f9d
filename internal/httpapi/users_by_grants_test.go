package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// byGrants makes users that tests create with permissions have grants for the same actions on everything instead: see make test-grants. It
// leaves out users without the permission read: they would be answered less by grants, as docs/permissions.md says.
var byGrants = os.Getenv("GRAPHREST_TEST_GRANTS") != ""

// userByGrants creates a user whose role grants actions on all nodes and edges.
func (srv *testServer) userByGrants(t testing.TB, name string, permissions ...auth.Permission) {
	t.Helper()
	srv.createByGrants(t, auth.NewUser{Username: name, Password: password}, permissions)
}

func (srv *testServer) createByGrants(t testing.TB, n auth.NewUser, permissions []auth.Permission) {
	t.Helper()
	onGraph := slices.DeleteFunc(slices.Clone(permissions), func(p auth.Permission) bool { return p == auth.Query || p == auth.Console })
	actions, err := json.Marshal(onGraph)
	require.NoError(t, err)
	grants, f := rules.ParseGrants("grants", fmt.Sprintf(
		`[{"kind":"node","type":"*","actions":%s},{"kind":"edge","type":"*","actions":%[1]s}]`, actions,
	))
	require.Nil(t, f)
	n.Roles = []string{"everything of " + n.Username}
	_, err = srv.users.CreateRole(context.Background(), rules.Role{Name: n.Roles[0], Grants: grants})
	require.NoError(t, err)
	_, err = srv.users.CreateUser(context.Background(), n)
	require.NoError(t, err)
}

// TestConversationsByGrants runs some conversations once more with users who have grants for everything instead of permissions: they get
// the same answers.
func TestConversationsByGrants(t *testing.T) {
	testmark.Long(t)
	if byGrants {
		t.Skip("`make test-grants` runs the conversations themselves so")
	}
	byGrants = true
	defer func() { byGrants = false }()
	t.Run("nodes", TestNodeConversation)
	t.Run("edges", TestEdgeConversation)
	t.Run("lists", TestListConversation)
	t.Run("filters", TestFilterConversation)
	t.Run("batches", TestBatchConversation)
	t.Run("change sets", TestChangeSetConversation)
}

// TestGrantsForEverythingShowEveryViolation: who sees everything by grants reads, as with the permission, what is wrong with an entity as a
// whole; the ids that an import may choose are those of a user without the permission edit.
func TestGrantsForEverythingShowEveryViolation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByGrants(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", `[{"kind":"node","type":"Person","actions":["read","edit"]}]`)
	update := func(name, user string, wantBody, notInBody []string) step {
		return step{
			name: name, user: user, request: "PUT /api/nodes/{node}", body: `{"properties":{"code":"x"}}`, wantStatus: 400,
			wantBody: wantBody, notInBody: notInBody,
		}
	}
	runSteps(t, srv, []step{
		{name: "node", user: "ann", request: "POST /api/nodes", body: `{"type":"Person","properties":{}}`, wantStatus: 201, save: "node=data.id"},
		{
			name: "declare", user: "root", request: "PUT /api/admin/types/nodes/Person", wantStatus: 201,
			body: `{"level":"strict","schema":{"properties":{"code":{"type":"integer"}},"required":["animals"]}}`,
		},
		update("by grants for everything", "ann", []string{`"properties.code"`, `"properties.animals"`}, nil),
		update("by a grant for a part", "bob", []string{`"properties.code"`}, []string{"animals"}),
		{
			name: "an id of one's choice", user: "ann", request: "POST /api/import", body: `{"kind":"node","id":"mine","labels":["Film"]}`,
			header: ndjson(), wantStatus: 200, wantBody: []string{`"failed":1`, "other ids need the permission edit"},
		},
	})
}
