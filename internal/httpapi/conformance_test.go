package httpapi_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/storetest"
)

func openGraph(t testing.TB, db *neo4jtest.DB, log *slog.Logger) *neo4jstore.Store {
	t.Helper()
	store, err := neo4jstore.Open(neo4jstore.Config{
		URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database, Log: log, Audit: audit.All,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close(context.Background())) })
	return store
}

// TestServiceKeepsTheContractOfTheStores puts the cases of the stores to the whole service: what holds for a store must
// hold for a client as well.
func TestServiceKeepsTheContractOfTheStores(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Harness {
		var options httpapi.Options
		w := openWorld(t, func(o *httpapi.Options) { options = *o })
		// Values over a size limit are told apart by the service, so a twin of it with a limit that the cases' values are
		// over stands in where a case names such values.
		tight := options
		tight.Limits.List, tight.Limits.String, tight.Limits.Keys, tight.Limits.Key = 1000, 5, 256, 255
		api, err := httpapi.New(tight)
		require.NoError(t, err)
		server := httptest.NewServer(api)
		t.Cleanup(server.Close)
		token := func(userID string) string {
			if userID == "" {
				return w.token(t, "root")
			}
			w.ensure(t, "key-"+userID)
			return w.token(t, "key-"+userID)
		}
		c := &client{base: w.url, tight: server.URL, token: token}
		return storetest.Harness{
			Nodes: c, Edges: c, Schema: c, Types: c, Explorer: c, Search: c, Indexes: c, Bulk: c.bulk(), Cypher: w.db.Query, IDProperty: "uuid",
			Settle: func(t testing.TB) { settle(t, w) },
		}
	}, func(string) bool { return true })
}

// ensure makes a user with all permissions unless it is there. Calls at the same moment make it once.
func (w *world) ensure(t testing.TB, name string) {
	t.Helper()
	w.ensuring.Lock()
	defer w.ensuring.Unlock()
	if !w.ensured[name] {
		w.user(t, name, auth.AllPermissions()...)
		w.ensured[name] = true
	}
}

// settle has the store read its catalogue, as it does once a second by itself, so that it knows what others made. A look for an id
// that no type holds does that.
func settle(t testing.TB, w *world) {
	t.Helper()
	id, err := graph.NewID("Nobody")
	require.NoError(t, err)
	_, err = w.graph.Node(t.Context(), id)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
}
