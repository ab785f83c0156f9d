package httpapi_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/storetest"
)

// stores are the stores of a test's database, and their client.
type stores struct {
	client *bolt.Client
	audit  *neo4jaudit.Store
	graph  *neo4jstore.Store
}

func openStores(t testing.TB, c bolt.Config) stores {
	t.Helper()
	client, err := bolt.Open(c)
	require.NoError(t, err)
	trail := neo4jaudit.New(client, neo4jaudit.Config{Mode: audit.All, Log: c.Log})
	s := stores{client: client, audit: trail, graph: neo4jstore.New(client, trail, neo4jstore.Config{Log: c.Log, Journal: true})}
	t.Cleanup(func() {
		s.graph.Close(context.Background())
		require.NoError(t, client.Close(context.Background()))
	})
	return s
}

// TestServiceConformsToTheStoreContracts runs the cases of the stores against the whole service: a client must get the same results
// as a caller of a store. Its two parts take about as long as each other; each uses a separate server if there are several. In runs
// that rotate by the day a subject is checked here on one day of three, and on the others on the store alone.
func TestServiceConformsToTheStoreContracts(t *testing.T) {
	lists := []string{"node lists", "edge lists", "paging", "filters", "sorts", "lists by ends", "around"}
	for name, includes := range map[string]func(subject string) bool{
		"lists":  func(subject string) bool { return storetest.IsOverHTTP(subject) && slices.Contains(lists, subject) },
		"others": func(subject string) bool { return storetest.IsOverHTTP(subject) && !slices.Contains(lists, subject) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, openService, includes)
		})
	}
}

// openService opens the whole service as the stores of a case.
func openService(t *testing.T) storetest.Harness {
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	// The service detects values over a size limit, so cases that name such values run against a second API with a limit
	// that is below the cases' values.
	smallLimits := options
	smallLimits.Limits.List, smallLimits.Limits.String, smallLimits.Limits.Keys, smallLimits.Limits.Key = 1000, 5, 256, 255
	api, err := httpapi.New(smallLimits)
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	token := func(userID string) string {
		if userID == "" && byGrants {
			return srv.token(t, srv.adminByGrants(t))
		}
		if userID == "" {
			return srv.token(t, "root")
		}
		srv.ensureUser(t, "key-"+userID)
		return srv.token(t, "key-"+userID)
	}
	c := &client{base: srv.url, smallLimits: server.URL, token: token}
	bulk := c.bulk()
	if byGrants {
		srv.adminByGrants(t) // before the case, which may compare everything in the database
		bulk.Import = srv.importerByGrants(t, c).bulk().Import
	}
	return storetest.Harness{
		Nodes: c, Edges: c, Schema: c, Types: c, Styles: c, Explorer: c, Aggregator: c, Search: c, Indexes: c, Batches: c,
		Bulk: bulk, Cypher: srv.db.Query, IDProperty: "uuid",
		Settle: func(t testing.TB) { refreshTypeCatalog(t, srv) },
	}
}

// adminByGrants creates an administrator with grants for everything, unless there is one, and returns the name.
func (srv *testServer) adminByGrants(t testing.TB) string {
	t.Helper()
	srv.createdUsersMu.Lock()
	defer srv.createdUsersMu.Unlock()
	const name = "administrator by grants"
	if !srv.createdUsers[name] {
		srv.createByGrants(t, auth.NewUser{Username: name, Password: password, Admin: true}, auth.AllPermissions())
		srv.createdUsers[name] = true
	}
	return name
}

// importerByGrants returns a client whose user creates and reads by grants, and has the permission edit. No grant is as good as that
// permission for ids of the client's choice, which could be those of hidden entities (docs/permissions.md, Where rules are stricter); the
// cases of imports use such ids.
func (srv *testServer) importerByGrants(t testing.TB, as *client) *client {
	t.Helper()
	const name = "importer by grants"
	srv.createByGrants(t, auth.NewUser{Username: name, Password: password, Admin: true, Permissions: []auth.Permission{auth.Edit}},
		[]auth.Permission{auth.Read, auth.Create, auth.Delete})
	importer := *as
	importer.token = func(string) string { return srv.token(t, name) }
	return &importer
}

// ensureUser creates a user with all permissions unless it exists. Concurrent calls create it once.
func (srv *testServer) ensureUser(t testing.TB, name string) {
	t.Helper()
	srv.createdUsersMu.Lock()
	defer srv.createdUsersMu.Unlock()
	if !srv.createdUsers[name] {
		srv.user(t, name, auth.AllPermissions()...)
		srv.createdUsers[name] = true
	}
}

// refreshTypeCatalog makes the store read its type catalog, as it does once a second by itself, so that it contains what other clients
// created. A look-up of an id that no type has does that.
func refreshTypeCatalog(t testing.TB, srv *testServer) {
	t.Helper()
	id, err := graph.NewID("NoSuchType")
	require.NoError(t, err)
	_, err = srv.stores.graph.Node(t.Context(), id)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
}
