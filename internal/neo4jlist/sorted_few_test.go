package neo4jlist

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

// sortedReadOf is what reads the first page of a sorted list.
func sortedReadOf(ctx context.Context, t *testing.T, s *Lists, q graph.EdgeQuery) sortedRead[graph.Node] {
	t.Helper()
	query := newListQuery(graph.NodeKind, q)
	var err error
	query.filter, err = s.sources.filters.buildFilter(ctx, graph.NodeKind, q.Filter)
	require.NoError(t, err)
	l := sortedList[graph.Node]{listRequest[graph.Node]{listSources: s.sources, query: query, decode: s.nodes.decode}}
	m, err := s.sources.reads.Catalog.Get(ctx)
	require.NoError(t, err)
	read, err := l.newSortedRead(ctx, l.newPageReaders(m, nil, endpointFilter{}, nil), cypher.Quote(string(q.Type)), nil)
	require.NoError(t, err)
	return read
}

// hitsOf are the db hits of the statement of the native sort that reads a page from a start, and how many rows it returns.
func hitsOf(t *testing.T, db *neo4jtest.DB, read sortedRead[graph.Node], start cypher.Start, from any) (hits int64, rows int) {
	t.Helper()
	params := map[string]any{"from": from, "skip": 0, "limit": 5, "entities": true}
	if read.window > 0 {
		read.top, params["window"] = read.query.statements.near, read.window
	}
	text := read.texts.text(read.top, read.withSlots(cypher.Top(cypher.NodeVariable, read.keys, start, cypher.Fragment{})))
	return neo4jtest.Profile(t, db, text.String(), read.texts.paramsOf(read.top, params))
}

// TestAlternativesOfFewAreNotSoughtInTheOrderOfAnIndex: a page costs what the indexes of the filter find after a part of the index of the
// order has no page, and the pages list each node once; of many the index of the order still finds a page at once.
func TestAlternativesOfFewAreNotSoughtInTheOrderOfAnIndex(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, `UNWIND range(1, 24000) AS i CREATE (n:Person {age: i, city: 'c' + (i % 2000), size: i % 3, note: 'n'})
SET n.grade = CASE WHEN i % 3 = 0 THEN null WHEN i % 3 = 1 THEN i / 6000 ELSE 'g' END`, nil)
	for _, property := range []string{"age", "city", "grade", "size"} {
		db.Exec(t, "CREATE INDEX person_"+property+" FOR (n:Person) ON (n."+property+")", nil)
	}
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	ctx := context.Background()
	s := New(neo4jentitytest.Open(t, db))
	_, err := s.sources.counts.Recent(ctx)
	require.NoError(t, err)
	is := func(number int, property string, value graph.Value) graph.Condition {
		return graph.Condition{Any: number, Property: property, Operator: graph.Equal, Value: value}
	}
	few := graph.Filter{is(1, "city", "c7"), is(1, "note", "n"), is(2, "city", "c8")}
	many := graph.Filter{is(1, "size", int64(1)), is(1, "note", "n"), is(2, "city", "c8")}
	byAge := graph.EdgeQuery{Type: "Person", Filter: many, Sort: graph.Sort{{Property: "age"}}}
	hits, rows := hitsOf(t, db, sortedReadOf(ctx, t, s, byAge), cypher.FromFirstSet, nil)
	require.Equal(t, 5, rows)
	require.Less(t, hits, int64(500))
	for _, property := range []string{"age", "grade", "size"} {
		for _, descending := range []bool{false, true} {
			sort := graph.Sort{{Property: property, Descending: descending}}
			read := sortedReadOf(ctx, t, s, graph.EdgeQuery{Type: "Person", Filter: few, Sort: sort})
			for _, start := range []cypher.Start{cypher.FromFirstSet, cypher.FromValue} {
				hits, rows := hitsOf(t, db, read, start, int64(1))
				require.Zero(t, rows)
				require.Less(t, hits, int64(10*maxSortedRows), "%v from %d", sort, start)
			}
			for _, start := range []cypher.Start{cypher.FromFirst, cypher.FromNotBefore, cypher.FromUnset} {
				hits, _ := hitsOf(t, db, read.scanning(), start, int64(1))
				require.Less(t, hits, int64(1000), "%v from %d", sort, start)
			}
			q := graph.NodeQuery{Type: "Person", Filter: few, Sort: sort, Paging: graph.Paging{Limit: 1000}}
			whole, err := s.Nodes(ctx, q)
			require.NoError(t, err)
			require.Len(t, whole.Items, 24)
			var paged []graph.Node
			for q.Limit = 5; ; {
				page, err := s.Nodes(ctx, q)
				require.NoError(t, err)
				if paged = append(paged, page.Items...); page.Next == nil {
					break
				}
				q.After = page.Next
			}
			require.Equal(t, whole.Items, paged, "%v", sort)
		}
	}
}
