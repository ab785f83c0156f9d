package neo4jlist

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

// TestIndexAdviceOnSeveralProperties: conditions that one index serves together are advised together, and lists use that index.
func TestIndexAdviceOnSeveralProperties(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "UNWIND range(1, 3000) AS i CREATE (:Person {city: 'c' + (i % 50), age: i % 90, note: 'n'})", nil)
	ctx := context.Background()
	core := neo4jentitytest.Open(t, db)
	s := New(core)
	asked := graph.Filter{
		{Property: "age", Operator: graph.Greater, Value: int64(80)},
		{Property: "note", Operator: graph.ContainsFold, Value: "n"},
		{Property: "city", Operator: graph.Equal, Value: "c7"},
	}
	core.Schema.CountSlowList(ctx, graph.NodeKind, "Person", asked, nil, time.Now().Add(-time.Second), nil)
	advice, err := core.Schema.IndexAdvice(ctx)
	require.NoError(t, err)
	require.Len(t, advice, 1)
	require.Equal(t, "person_city_age", advice[0].Index.Name)
	require.Equal(t, []string{"city", "age"}, advice[0].Index.Properties)

	list := func() graph.Page[graph.Node] {
		page, err := s.Nodes(ctx, graph.NodeQuery{Type: "Person", Filter: asked, Paging: graph.Paging{Limit: 1000}})
		require.NoError(t, err)
		return page
	}
	before := list()
	require.NotEmpty(t, before.Items)
	_, err = core.Schema.CreateIndex(ctx, advice[0].Index)
	require.NoError(t, err)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	core.Schema.ExpireIndexedKeys()
	advice, err = core.Schema.IndexAdvice(ctx)
	require.NoError(t, err)
	require.Empty(t, advice)
	require.Equal(t, before, list())

	f, err := s.sources.filters.buildFilter(ctx, graph.NodeKind, asked)
	require.NoError(t, err)
	require.True(t, f.served("Person"))
	text := cypher.ListNodesFew.Text(cypher.Slots{"type": cypher.Quote("Person"), "where": f.servedWhere("Person")}).String()
	require.Contains(t, neo4jtest.Plan(t, db, text, nil), "+NodeIndexSeek", text)
}
