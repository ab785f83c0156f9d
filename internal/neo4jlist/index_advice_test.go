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

// TestIndexesServeAlternativesOfSeveralConditions: few or many, with values between two, a zero, or a condition that no index serves.
func TestIndexesServeAlternativesOfSeveralConditions(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "UNWIND range(1, 20000) AS i CREATE (:Person {age: i, city: 'c' + (i % 2000), note: 'n'})", nil)
	db.Exec(t, "CREATE INDEX person_age FOR (n:Person) ON (n.age)", nil)
	db.Exec(t, "CREATE INDEX person_city FOR (n:Person) ON (n.city)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	ctx := context.Background()
	s := New(neo4jentitytest.Open(t, db))
	is := func(number int, property string, operator graph.Operator, value graph.Value) graph.Condition {
		return graph.Condition{Any: number, Property: property, Operator: operator, Value: value}
	}
	between := func(number int) graph.Filter {
		from := int64(1000 * number)
		return graph.Filter{is(number, "age", graph.GreaterEqual, from), is(number, "age", graph.Less, from+5)}
	}
	var ranges graph.Filter
	for number := 1; number <= graph.MaxConditions/2; number++ {
		ranges = append(ranges, between(number)...)
	}
	atCity := graph.Filter{is(2, "city", graph.Equal, "c7"), is(2, "note", graph.ContainsFold, "N")}
	for name, c := range map[string]struct {
		filter graph.Filter
		finds  int64
	}{
		"as many as there may be": {ranges, 5 * graph.MaxConditions / 2},
		"two":                     {ranges[:4], 10},
		"one beside one":          {append(between(1), is(2, "city", graph.Equal, "c7")), 15},
		"an unserved condition":   {append(between(1), atCity...), 15},
		"a zero":                  {append(between(1), is(2, "age", graph.Equal, int64(0))), 5},
	} {
		f, err := s.sources.filters.buildFilter(ctx, graph.NodeKind, c.filter)
		require.NoError(t, err)
		require.True(t, f.served("Person"), name)
		slots := cypher.Slots{"type": cypher.Quote("Person"), "where": f.servedWhere("Person")}
		params := f.AddParams(map[string]any{"max_rows": maxSortedRows})
		hits, _ := neo4jtest.Profile(t, db, cypher.ListNodesFew.Text(slots).String(), params)
		require.Less(t, hits, int64(500), name)
		page, err := s.Nodes(ctx, graph.NodeQuery{Type: "Person", Filter: c.filter, Paging: graph.Paging{Limit: 1000, Count: true}})
		require.NoError(t, err)
		require.Len(t, page.Items, int(c.finds), name)
		require.Equal(t, c.finds, *page.Total, name)
	}
	f, err := s.sources.filters.buildFilter(ctx, graph.NodeKind, append(between(1), is(2, "note", graph.Equal, "n")))
	require.NoError(t, err)
	require.False(t, f.served("Person"), "one alternative that no index serves")
}
