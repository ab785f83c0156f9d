package neo4jstore_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/storetest"
	"graphrest/internal/testmark"
)

// settings are those of a store and of its connections.
type settings struct {
	neo4jstore.Config
	client bolt.Config
	audit  neo4jaudit.Config
}

// open creates a store on a clean database that accounts have prepared, as the gateway does.
func open(t testing.TB, change func(*settings)) (*neo4jstore.Store, *neo4jtest.DB) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	return openOn(t, db, change), db
}

func withGID(c *settings) { c.IDProperty = "gid" }

func openOn(t testing.TB, db *neo4jtest.DB, change func(*settings)) *neo4jstore.Store {
	t.Helper()
	prepare(t, db)
	return openPrepared(t, db, change)
}

func prepare(t testing.TB, db *neo4jtest.DB) { neo4jstoretest.Prepare(t, db) }

func openAccounts(t testing.TB, db *neo4jtest.DB) *neo4jauth.Store {
	return neo4jstoretest.OpenAccounts(t, db)
}

func openPrepared(t testing.TB, db *neo4jtest.DB, change func(*settings)) *neo4jstore.Store {
	t.Helper()
	config := settings{client: neo4jstoretest.ClientOf(db)}
	if change != nil {
		change(&config)
	}
	_, s := neo4jstoretest.Open(t, config.client, config.audit, config.Config)
	return s
}

// TestStoreKeepsTheContract checks the store against every rule, with coalesced calls, and with uncoalesced calls against the rules in
// which coalescing has a part: lists and the schema do not use the queues. Each part uses a separate server if there are several.
func TestStoreKeepsTheContract(t *testing.T) {
	lists := []string{"node lists", "edge lists", "paging", "filters", "sorts", "lists by ends"}
	unqueued := append([]string{"search", "indexes", "schema", "bulk", "batches", "declarations"}, lists...)
	for name, part := range map[string]struct {
		uncoalesced bool
		includes    func(subject string) bool
	}{
		"coalesced":       {false, func(subject string) bool { return !slices.Contains(lists, subject) }},
		"lists":           {false, func(subject string) bool { return slices.Contains(lists, subject) }},
		"each call alone": {true, func(subject string) bool { return !slices.Contains(unqueued, subject) }},
	} {
		t.Run(name, func(t *testing.T) {
			testmark.Long(t)
			if !part.uncoalesced {
				testmark.EveryRelease(t)
			}
			t.Parallel()
			runContract(t, part.uncoalesced, part.includes)
		})
	}
}

// TestStoreKeepsWhatIsNotCheckedOverHTTP checks in runs that rotate by the day the subjects that package httpapi leaves out, so that each
// run checks every rule. Others check all of them over HTTP.
func TestStoreKeepsWhatIsNotCheckedOverHTTP(t *testing.T) {
	if !testmark.Rotates() {
		t.Skip("this run does not rotate by the day: every rule is checked over HTTP")
	}
	runContract(t, false, func(subject string) bool { return !storetest.IsOverHTTP(subject) })
}

func runContract(t *testing.T, uncoalesced bool, includes func(subject string) bool) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	prepare(t, db)
	storetest.Run(t, func(t *testing.T) storetest.Harness {
		db.CleanGraph(t)
		s := openPrepared(t, db, func(c *settings) { c.Uncoalesced, c.Journal = uncoalesced, !uncoalesced })
		return storetest.Harness{
			Nodes: s, Edges: s, Schema: s, Types: s, Styles: s, Explorer: s.Walks,
			Aggregator: s.Aggregates, Search: s, Indexes: s, Batches: s.Batches, IDProperty: "uuid",
			Bulk: &storetest.BulkHarness{
				Import: func(on graph.OnConflict, lines []graph.BulkLine) (storetest.BulkTally, error) {
					return storetest.ImportInto(context.Background(), s.Bulk, on, lines)
				},
				Export: func(q graph.ExportQuery) ([]graph.Node, []graph.Edge, error) {
					return storetest.ExportFrom(context.Background(), s.Bulk, q)
				},
			},
			Cypher: func(t testing.TB, query string, params map[string]any) []map[string]any {
				return db.Query(t, query, params)
			},
			// The background work would do it within seconds; over HTTP the same cases wait.
			Settle: func(t testing.TB) { require.NoError(t, neo4jstore.RefreshCaches(t.Context(), s)) },
		}
	}, includes)
}
