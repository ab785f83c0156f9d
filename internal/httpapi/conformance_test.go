package httpapi_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
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

// TestServiceConformsToTheStoreContracts puts the cases of the stores to the whole service: what holds for a store must
// hold for a client as well.
func TestServiceConformsToTheStoreContracts(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Harness {
		var options httpapi.Options
		srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
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
				return srv.token(t, "root")
			}
			srv.ensure(t, "key-"+userID)
			return srv.token(t, "key-"+userID)
		}
		c := &client{base: srv.url, tight: server.URL, token: token}
		return storetest.Harness{
			Nodes: c, Edges: c, Schema: c, Types: c, Explorer: c, Search: c, Indexes: c, Bulk: c.bulk(), Cypher: srv.db.Query, IDProperty: "uuid",
			Settle: func(t testing.TB) { settle(t, srv) },
		}
	}, func(string) bool { return true })
}

// ensure makes a user with all permissions unless it is there. Calls at the same moment make it once.
func (srv *testServer) ensure(t testing.TB, name string) {
	t.Helper()
	srv.createdUsersMu.Lock()
	defer srv.createdUsersMu.Unlock()
	if !srv.createdUsers[name] {
		srv.user(t, name, auth.AllPermissions()...)
		srv.createdUsers[name] = true
	}
}

// settle waits until the catalogue, which the store reads once a second, knows what others made.
func settle(t testing.TB, _ *testServer) {
	t.Helper()
	time.Sleep(1500 * time.Millisecond)
}
