package neo4jsavedview_test

import (
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jsavedview"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/savedview"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// newStore opens a store on a clean database with the users ann and bob and the role team.
func newStore(t *testing.T) (*neo4jsavedview.Store, *neo4jtest.DB) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	accounts, err := neo4jauth.Open(neo4jauth.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	require.NoError(t, accounts.Prepare(t.Context()))
	require.NoError(t, accounts.Close(t.Context()))
	db.Exec(t, `UNWIND ['ann', 'bob'] AS name
		CREATE (u:_GraphrestUser) SET u.id = name, u.username = name, u.folded = name, u.version = 1`, nil)
	db.Exec(t, `CREATE (r:_GraphrestRole {name: 'team', version: 1})`, nil)
	client, err := bolt.Open(bolt.Config{
		URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close(t.Context())) })
	return neo4jsavedview.New(client, neo4jaudit.New(client, neo4jaudit.Config{Mode: audit.All})), db
}

var (
	ann = savedview.User{ID: "ann", Roles: []string{"team"}}
	bob = savedview.User{ID: "bob"}
)

func newView(name string) savedview.New {
	return savedview.New{Name: name, Page: savedview.Nodes, State: `{}`}
}

// TestConcurrentCreatesKeepTheLimit: of many creations at once, as many succeed as there is room for.
func TestConcurrentCreatesKeepTheLimit(t *testing.T) {
	s, db := newStore(t)
	db.Exec(t, `UNWIND range(4, $max) AS i CREATE (v:_GraphrestSavedView) SET v.id = 'x' + i, v.owner_id = 'ann'`,
		map[string]any{"max": savedview.MaxPerUser})
	errs := make([]error, 8)
	var running sync.WaitGroup
	for i := range errs {
		running.Go(func() { _, errs[i] = s.CreateSavedView(t.Context(), ann, newView("V")) })
	}
	running.Wait()
	full := 0
	for _, err := range errs {
		if err != nil {
			require.Equal(t, fault.Conflict, fault.CodeOf(err))
			full++
		}
	}
	require.Equal(t, len(errs)-3, full)
	require.EqualValues(t, savedview.MaxPerUser, db.Count(t, "MATCH (v:_GraphrestSavedView) RETURN count(v)", nil))
}

// TestOneOfConcurrentUpdatesWins: of updates of the same version, one succeeds.
func TestOneOfConcurrentUpdatesWins(t *testing.T) {
	s, _ := newStore(t)
	v, err := s.CreateSavedView(t.Context(), ann, newView("V"))
	require.NoError(t, err)
	errs := make([]error, 4)
	var running sync.WaitGroup
	for i := range errs {
		running.Go(func() {
			name := string(rune('a' + i))
			_, errs[i] = s.UpdateSavedView(t.Context(), ann, v.ID, savedview.Change{Name: &name},
				graph.Precondition{Revisions: []graph.Revision{v.Revision()}})
		})
	}
	running.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Equal(t, fault.PreconditionFailed, fault.CodeOf(err))
	}
	require.Equal(t, 1, won)
}

// TestCreationOfADeletedUser: a token may outlive its user for a moment; what it saves would stay for ever.
func TestCreationOfADeletedUser(t *testing.T) {
	s, db := newStore(t)
	_, err := s.CreateSavedView(t.Context(), savedview.User{ID: "gone"}, newView("V"))
	require.Equal(t, fault.TokenRevoked, fault.CodeOf(err))
	require.Zero(t, db.Count(t, "MATCH (v:_GraphrestSavedView) RETURN count(v)", nil))
}

// TestRolesInTheStore: the database decides which roles exist, the user which may be used.
func TestRolesInTheStore(t *testing.T) {
	s, _ := newStore(t)
	with := func(u savedview.User, roles ...string) error {
		v := newView("V")
		v.Roles = roles
		_, err := s.CreateSavedView(t.Context(), u, v)
		return err
	}
	require.NoError(t, with(ann, "team", "team"))
	require.Equal(t, fault.Validation, fault.CodeOf(with(bob, "team")))
	require.Equal(t, fault.Validation, fault.CodeOf(with(savedview.User{ID: "bob", Roles: []string{"gone"}}, "gone")), "it was just deleted")
	require.Equal(t, fault.Validation, fault.CodeOf(with(savedview.User{ID: "bob", Admin: true}, "nobody")))
	require.NoError(t, with(savedview.User{ID: "bob", Admin: true}, "team"))
}

// TestListSeesSharedViewsOnce: a view that is shared in several ways is listed once, the newest first.
func TestListSeesSharedViewsOnce(t *testing.T) {
	s, _ := newStore(t)
	v := newView("all ways")
	v.Roles, v.Everyone = []string{"team"}, true
	_, err := s.CreateSavedView(t.Context(), ann, v)
	require.NoError(t, err)
	_, err = s.CreateSavedView(t.Context(), ann, newView("own"))
	require.NoError(t, err)
	list, err := s.SavedViews(t.Context(), ann, savedview.Query{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Views, 2)
	require.Equal(t, "own", list.Views[0].Name)
	require.Equal(t, []string{"team"}, list.Views[1].Roles)
	list, err = s.SavedViews(t.Context(), bob, savedview.Query{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Views, 1)
	require.Nil(t, list.Views[0].Roles, "to others, roles are not shown")
	require.Empty(t, list.Views[0].State)
}
