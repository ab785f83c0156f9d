// Package storetest contains the contracts of the stores as rules, each with a check that runs on any implementation:
// on the Neo4j store directly, and on the same store over HTTP.
//
//	func TestStoreKeepsTheContract(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) storetest.Harness { ... })
//	}
//
// The factory opens a store on an empty database for each rule. Checks use Cypher directly to act as an analyst in the same
// database, and to verify what the store wrote.
package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// Harness is a store on an empty database.
type Harness struct {
	Nodes      graph.NodeStore
	Edges      graph.EdgeStore
	Schema     graph.SchemaStore
	Types      graph.TypeStore
	Styles     graph.TypeStyleStore
	Explorer   graph.Explorer
	Aggregator graph.Aggregator
	Search     graph.Searcher
	Indexes    graph.IndexStore
	Batches    graph.BatchStore
	Bulk       *BulkHarness
	// Cypher runs a statement directly in the store's database and returns its rows by column. It fails the test
	// on an error.
	Cypher func(t testing.TB, query string, params map[string]any) []map[string]any
	// Settle waits until the store has detected constraints that others created. Nil if it detects them immediately.
	Settle func(t testing.TB)
	// IDProperty is the property that holds ids.
	IDProperty string
}

// Factory opens a separate Harness for each rule.
type Factory func(t *testing.T) Harness

// rule is one sentence of the contract and its check.
type rule struct {
	sentence string
	check    func(t *testing.T, h Harness)
}

// IsOverHTTP reports whether the rules of a subject are checked over HTTP in this run, otherwise they are on the store: in a run that
// rotates by the day (internal/testmark) on one day of three, in others always.
func IsOverHTTP(subject string) bool { return testmark.IsTurn(subject, 3) }

// Run checks every rule of the chosen subjects on a store.
func Run(t *testing.T, factory Factory, chosen func(subject string) bool) {
	for _, subject := range []struct {
		name  string
		rules []rule
	}{
		{"nodes", nodeRules},
		{"edges", edgeRules},
		{"values", valueRules},
		{"ids", idRules},
		{"conditions", conditionRules},
		{"node lists", nodeListRules},
		{"edge lists", edgeListRules},
		{"paging", pagingRules},
		{"filters", filterRules},
		{"sorts", sortRules},
		{"lists by ends", sideRules},
		{"around", aroundRules},
		{"aggregates", aggregateRules},
		{"search", searchRules},
		{"indexes", indexRules},
		{"internal data", internalRules},
		{"schema", schemaRules},
		{"bulk", bulkRules},
		{"batches", batchRules},
		{"declarations", declarationRules},
		{"type styles", typeStyleRules},
		{"concurrency", concurrencyRules},
	} {
		if !chosen(subject.name) {
			continue
		}
		t.Run(subject.name, func(t *testing.T) {
			for _, r := range subject.rules {
				t.Run(r.sentence, func(t *testing.T) { r.check(t, factory(t)) })
			}
		})
	}
}

func (h Harness) settle(t testing.TB) {
	if h.Settle != nil {
		h.Settle(t)
	}
}

// one runs a statement that returns one value.
func (h Harness) one(t testing.TB, query string, params map[string]any) any {
	t.Helper()
	rows := h.Cypher(t, query, params)
	require.Len(t, rows, 1, query)
	require.Len(t, rows[0], 1, query)
	for _, value := range rows[0] {
		return value
	}
	return nil
}

func (h Harness) node(t testing.TB, typ graph.TypeName, properties graph.Properties) graph.Node {
	t.Helper()
	created, err := h.Nodes.CreateNode(context.Background(), graph.NewNode{Type: typ, Properties: properties})
	require.NoError(t, err)
	return created.Entity
}

func (h Harness) edge(t testing.TB, typ graph.TypeName, source, target string, properties graph.Properties) graph.Edge {
	t.Helper()
	created, err := h.Edges.CreateEdge(context.Background(),
		graph.NewEdge{Type: typ, SourceID: source, TargetID: target, Properties: properties})
	require.NoError(t, err)
	return created.Entity
}

// manageNodes makes a type of nodes one whose ids are managed, without leaving a node. A constraint that the case created itself would
// have Neo4j discard all its plans twice; that of a common type is there already (neo4jtest.OpenPrepared).
func (h Harness) manageNodes(t testing.TB, typ graph.TypeName) {
	t.Helper()
	_, err := h.Nodes.DeleteNode(context.Background(), h.node(t, typ, nil).ID, graph.Removal{})
	require.NoError(t, err)
}

// manageEdges is manageNodes for a type of edges.
func (h Harness) manageEdges(t testing.TB, typ graph.TypeName) {
	t.Helper()
	end := h.node(t, "Person", nil)
	h.edge(t, typ, end.ID, end.ID, nil)
	_, err := h.Nodes.DeleteNode(context.Background(), end.ID, graph.Removal{})
	require.NoError(t, err)
}

// element creates an entity in Cypher and returns its element id, which the statement must return.
func (h Harness) element(t testing.TB, query string, params map[string]any) string {
	t.Helper()
	text, ok := h.one(t, query, params).(string)
	require.True(t, ok, "%s must return an element id", query)
	return text
}

func requireCode(t testing.TB, want fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, fault.CodeOf(err), "%v", err)
}

// requireInvalid requires a VALIDATION_ERROR about exactly these fields.
func requireInvalid(t testing.TB, err error, fields ...string) {
	t.Helper()
	requireCode(t, fault.Validation, err)
	var named []string
	for _, d := range fault.As(err).Details {
		named = append(named, d.Field)
		require.NotEmpty(t, d.Message)
	}
	require.ElementsMatch(t, fields, named)
}

func nodeIDs(nodes []graph.Node) []string {
	ids := make([]string, len(nodes))
	for i, n := range nodes {
		ids[i] = n.ID
	}
	return ids
}

func edgeIDs(edges []graph.Edge) []string {
	ids := make([]string, len(edges))
	for i, e := range edges {
		ids[i] = e.ID
	}
	return ids
}

func sortedCopy(ids []string) []string {
	out := slices.Clone(ids)
	slices.Sort(out)
	return out
}
