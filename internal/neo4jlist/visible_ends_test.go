package neo4jlist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

// TestManyEdgesWithAndWithoutInternalEnds: counts and groups of many edges, which read the labels of their ends only if one is internal.
func TestManyEdgesWithAndWithoutInternalEnds(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	core := neo4jentitytest.Open(t, db)
	s := New(core)
	aggregates := s.NewAggregates()
	const many = 30_000
	db.Exec(t, "CREATE (a:Person), (b:Person) WITH a, b UNWIND range(1, $many) AS i CREATE (a)-[:KNOWS {n: i % 3}]->(b)",
		map[string]any{"many": many})
	filter := graph.Filter{{Property: "n", Operator: graph.GreaterEqual, Value: int64(0)}}
	counts := func(internal int64) {
		t.Helper()
		_, err := core.Schema.Counts.Current(t.Context())
		require.NoError(t, err)
		for _, typ := range []graph.TypeName{"", "KNOWS"} {
			page, err := s.Edges(t.Context(), graph.EdgeQuery{Type: typ, Filter: filter, Paging: graph.Paging{Limit: 1, Count: true}})
			require.NoError(t, err)
			require.EqualValues(t, many, *page.Total, typ)
			found, err := aggregates.AggregateEdges(t.Context(), graph.EdgeAggregateQuery{
				Type: typ, Aggregation: graph.Aggregation{GroupBy: "n", Limit: 10},
			})
			require.NoError(t, err)
			require.Len(t, found.Groups, 3, typ)
			for _, g := range found.Groups {
				require.EqualValues(t, many/3, g.Count, typ)
			}
			visible, err := core.Exclusions.EndsAreVisible(t.Context(), Filter{}.typesRead(string(typ)), core.Schema.Counts.Known().Edges)
			require.NoError(t, err)
			require.Equal(t, internal == 0, visible, typ)
		}
	}
	counts(0)
	db.Exec(t, "MATCH (a:Person) WITH a LIMIT 1 CREATE (a)-[:KNOWS {n: 1}]->(:_GraphrestSpy), (a)-[:_GraphrestKnows {n: 1}]->(a)", nil)
	counts(1)
	db.Exec(t, "MATCH (s:_GraphrestSpy) SET s:Person", nil)
	counts(1)
}
