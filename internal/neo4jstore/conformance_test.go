package neo4jstore_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/storetest"
)

// open creates a store on a clean database that accounts have prepared, as the gateway does.
func open(t testing.TB, change func(*neo4jstore.Config)) (*neo4jstore.Store, *neo4jtest.DB) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	return openOn(t, db, change), db
}

func openOn(t testing.TB, db *neo4jtest.DB, change func(*neo4jstore.Config)) *neo4jstore.Store {
	t.Helper()
	prepare(t, db)
	return openPrepared(t, db, change)
}

// prepare creates the gateway's own constraints.
func prepare(t testing.TB, db *neo4jtest.DB) {
	t.Helper()
	accounts, err := neo4jstore.OpenAccounts(neo4jstore.AccountsConfig{
		URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database,
	})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, accounts.Prepare(ctx))
	require.NoError(t, accounts.Close(ctx))
}

func openPrepared(t testing.TB, db *neo4jtest.DB, change func(*neo4jstore.Config)) *neo4jstore.Store {
	t.Helper()
	config := neo4jstore.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database}
	if change != nil {
		change(&config)
	}
	s, err := neo4jstore.Open(config)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return s
}

// TestStoreKeepsTheContract checks the store against every rule, with coalesced calls, and with uncoalesced calls against the rules in
// which coalescing has a part: lists and the schema do not use the queues. Each part uses a separate server if there are several.
func TestStoreKeepsTheContract(t *testing.T) {
	lists := []string{"node lists", "edge lists", "paging", "filters", "sorts"}
	unqueued := append([]string{"search", "indexes", "schema", "bulk", "declarations"}, lists...)
	for name, part := range map[string]struct {
		uncoalesced bool
		includes    func(subject string) bool
	}{
		"coalesced":       {false, func(subject string) bool { return !slices.Contains(lists, subject) }},
		"lists":           {false, func(subject string) bool { return slices.Contains(lists, subject) }},
		"each call alone": {true, func(subject string) bool { return !slices.Contains(unqueued, subject) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := neo4jtest.OpenPrepared(t)
			prepare(t, db)
			storetest.Run(t, func(t *testing.T) storetest.Harness {
				db.CleanGraph(t)
				s := openPrepared(t, db, func(c *neo4jstore.Config) { c.Uncoalesced = part.uncoalesced })
				return storetest.Harness{
					Nodes: s, Edges: s, Schema: s, Types: s, Explorer: s, Search: s, Indexes: s, IDProperty: "uuid",
					Bulk: &storetest.BulkHarness{
						Import: func(on graph.OnConflict, lines []graph.BulkLine) (storetest.BulkTally, error) {
							return storetest.ImportInto(context.Background(), s, on, lines)
						},
						Export: func(q graph.ExportQuery) ([]graph.Node, []graph.Edge, error) {
							return storetest.ExportFrom(context.Background(), s, q)
						},
					},
					Cypher: func(t testing.TB, query string, params map[string]any) []map[string]any {
						return db.Query(t, query, params)
					},
					// The background work would do it within seconds; over HTTP the same cases wait.
					Settle: func(t testing.TB) { require.NoError(t, neo4jstore.RefreshCaches(t.Context(), s)) },
				}
			}, part.includes)
		})
	}
}
