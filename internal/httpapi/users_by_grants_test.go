package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/rules"
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
	actions, err := json.Marshal(permissions)
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
	if byGrants {
		return // the conversations themselves are run so
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
