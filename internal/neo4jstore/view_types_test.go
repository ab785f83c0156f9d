package neo4jstore_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestListsReadNoTypeInVain: a list reads no type of which its user sees nothing: of nodes, none that has no node in common with a granted
// one; of edges, none that is not granted; and no nodes without a label.
func TestListsReadNoTypeInVain(t *testing.T) {
	testmark.EveryRelease(t)
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t, `UNWIND range(1, 600) AS i CREATE (a:Archive {n: i})-[:FILED {n: i}]->(:Person {n: i}), ({n: i})`, nil)
	db.Exec(t, "MATCH (p:Person {n: 7}) MATCH (q:Person {n: 8}) CREATE (p)-[:KNOWS]->(q)", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"],"where":{"n":{"lt":11}}},
		{"kind":"edge","type":"KNOWS","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	reads := func(list func()) []string {
		sent.take()
		list()
		return slices.DeleteFunc(sent.take(), func(name string) bool {
			return !strings.HasPrefix(name, "list_nodes") && !strings.HasPrefix(name, "list_edges")
		})
	}
	nodes := func(q graph.NodeQuery, want int) func() {
		return func() { requireNodes(ctx, t, s.Nodes, q, want) }
	}
	edges := func(q graph.EdgeQuery, want int) func() {
		return func() {
			q.Limit, q.Count = 20, true
			page, err := s.Edges(ctx, q)
			require.NoError(t, err)
			require.Len(t, page.Items, want)
			require.EqualValues(t, want, *page.Total)
		}
	}
	byN := graph.Sort{{Property: "n"}}

	archive := reads(nodes(graph.NodeQuery{Type: "Archive"}, 0))
	require.Contains(t, archive, "list_nodes_together")
	require.NotContains(t, archive, "list_nodes_first")
	require.NotContains(t, archive, "list_nodes_scan")
	require.NotContains(t, reads(nodes(graph.NodeQuery{}, 10)), "list_nodes_unlabelled")
	nodes(graph.NodeQuery{Sort: byN}, 10)()
	require.Empty(t, reads(edges(graph.EdgeQuery{Type: "FILED"}, 0)))
	edges(graph.EdgeQuery{}, 1)()
	edges(graph.EdgeQuery{Sort: byN}, 1)()

	db.Exec(t, "MATCH (p:Person {n: 7}) SET p:Archive", nil)
	archive = reads(nodes(graph.NodeQuery{Type: "Archive"}, 1))
	require.Contains(t, archive, "list_nodes_together")
	nodes(graph.NodeQuery{}, 10)()
	nodes(graph.NodeQuery{Sort: byN}, 10)()
	nodes(graph.NodeQuery{Paging: graph.Paging{Offset: 5}}, 5)()

	ctx = rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, nil))
	require.Empty(t, reads(nodes(graph.NodeQuery{}, 0)))
	require.Empty(t, reads(nodes(graph.NodeQuery{Sort: byN}, 0)))
	require.Empty(t, reads(edges(graph.EdgeQuery{}, 0)))
	require.Empty(t, reads(edges(graph.EdgeQuery{Sort: byN}, 0)))
}

// requireNodes lists up to 20 nodes with their total, which must be as many as wanted beside those that an offset skips.
func requireNodes(
	ctx context.Context, t *testing.T, list func(context.Context, graph.NodeQuery) (graph.Page[graph.Node], error), q graph.NodeQuery,
	want int,
) {
	t.Helper()
	q.Limit, q.Count = 20, true
	page, err := list(ctx, q)
	require.NoError(t, err)
	require.Len(t, page.Items, want)
	require.EqualValues(t, int64(want)+q.Offset, *page.Total)
}

// TestAggregatesReadNoTypeInVain: as TestListsReadNoTypeInVain. An aggregate of all types reads the granted ones only.
func TestAggregatesReadNoTypeInVain(t *testing.T) {
	testmark.EveryRelease(t)
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t, `UNWIND range(1, 60) AS i CREATE (:Archive {n: i})-[:FILED {n: i}]->(:Person {n: i})
		-[:KNOWS]->(:Person:Staff {n: -i}), ({n: i})`, nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"],"where":{"n":{"lt":11}}},
		{"kind":"edge","type":"KNOWS","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	one := graph.Aggregation{Limit: 1}
	for typ, want := range map[graph.TypeName]struct {
		nodes      int64
		aggregates bool
	}{"": {70, true}, "Person": {70, true}, "Staff": {60, true}, "Archive": {0, false}, "Nothing": {0, false}} {
		sent.take()
		found, err := s.Aggregates.AggregateNodes(ctx, graph.NodeAggregateQuery{Type: typ, Aggregation: one})
		require.NoError(t, err)
		require.Equal(t, want.nodes, found.Groups[0].Count, typ)
		require.Equal(t, want.aggregates, slices.Contains(sent.take(), "aggregate_nodes"), typ)
	}
	for typ, want := range map[graph.TypeName]int64{"": 10, "KNOWS": 10, "FILED": 0} {
		sent.take()
		found, err := s.Aggregates.AggregateEdges(ctx, graph.EdgeAggregateQuery{Type: typ, Aggregation: one})
		require.NoError(t, err)
		require.Equal(t, want, found.Groups[0].Count, typ)
		require.Equal(t, typ != "FILED", slices.Contains(sent.take(), "aggregate_edges"), typ)
	}
	ctx = rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, nil))
	sent.take()
	nodes, err := s.Aggregates.AggregateNodes(ctx, graph.NodeAggregateQuery{Aggregation: one})
	require.NoError(t, err)
	edges, err := s.Aggregates.AggregateEdges(ctx, graph.EdgeAggregateQuery{Aggregation: graph.Aggregation{GroupBy: "n", Limit: 1}})
	require.NoError(t, err)
	require.Equal(t, int64(0), nodes.Groups[0].Count)
	require.Empty(t, edges.Groups)
	require.Empty(t, slices.DeleteFunc(sent.take(), func(name string) bool { return !strings.HasPrefix(name, "aggregate") }))
}
