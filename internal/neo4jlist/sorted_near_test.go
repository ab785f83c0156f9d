package neo4jlist

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// sortsSent are the names of the statements of sorted lists that were sent.
type sortsSent struct {
	mu    sync.Mutex
	names []string
}

func (s *sortsSent) Statement(_ context.Context, name, _ string, _ time.Time, _ string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, suffix := range []string{"_near", "_top", "_sorted"} {
		if strings.HasPrefix(name, "list_") && strings.HasSuffix(name, suffix) {
			s.names = append(s.names, strings.TrimPrefix(suffix, "_"))
		}
	}
}

func (s *sortsSent) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.names
	s.names = nil
	return names
}

// nearSeed creates values of one kind with ties and of several kinds, some missing, each of them in two properties: one with an index and
// one without. Every fourth node has an own id.
var nearSeed = []string{
	`UNWIND range(0, 23999) AS i
CREATE (n:Person {city: 'c' + (i % 2000), rare: i % 1000, tenth: i % 10, half: i % 2, note: 'n',
  tied: CASE WHEN i % 11 > 0 THEN (i * 7) % 40 END,
  mixed: CASE i % 9 WHEN 0 THEN null WHEN 1 THEN 'g' + (i % 50) WHEN 2 THEN i % 4 = 2 ELSE (i * 7919) % 24000 END})
SET n.tied_plain = n.tied, n.mixed_plain = n.mixed, n.early = CASE WHEN n.mixed < 600 THEN true END
SET n.uuid = CASE WHEN i % 4 = 0 THEN 'id' + i END
CREATE (n)-[r:KNOWS]->(n) SET r = n`,
	"CREATE CONSTRAINT person_id IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE",
	"CREATE INDEX person_city FOR (n:Person) ON (n.city)",
	"CREATE INDEX person_tied FOR (n:Person) ON (n.tied)", "CREATE INDEX person_mixed FOR (n:Person) ON (n.mixed)",
	"CREATE INDEX knows_tied FOR ()-[r:KNOWS]-() ON (r.tied)", "CREATE INDEX knows_mixed FOR ()-[r:KNOWS]-() ON (r.mixed)",
	"CALL db.awaitIndexes(60)",
}

// TestSortedPagesByAnIndexListWhatAScanLists: pages in the order of an index have what those by an equal property without one have, in the
// same order, whatever the filter and the rules leave, and whether or not the filter is served.
func TestSortedPagesByAnIndexListWhatAScanLists(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	for _, statement := range nearSeed {
		db.Exec(t, statement, nil)
	}
	sent := &sortsSent{}
	s := New(neo4jentitytest.Open(t, db, sent))
	_, err := s.sources.counts.Recent(t.Context())
	require.NoError(t, err)
	grants, fault := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"],"where":{"half":{"eq":1}}},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	require.Nil(t, fault)
	restricted := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	is := func(number int, property string, value graph.Value) graph.Condition {
		return graph.Condition{Any: number, Property: property, Operator: graph.Equal, Value: value}
	}
	for name, c := range map[string]struct {
		filter graph.Filter
		limit  int
	}{
		"few":                   {graph.Filter{is(0, "rare", int64(7))}, 5},
		"many":                  {graph.Filter{is(0, "tenth", int64(1))}, 90},
		"only the first":        {graph.Filter{is(0, "early", true)}, 70},
		"one served":            {graph.Filter{is(0, "city", "c7")}, 5},
		"an unserved among two": {graph.Filter{is(1, "city", "c7"), is(2, "rare", int64(7))}, 7},
		"served alternatives":   {graph.Filter{is(1, "city", "c7"), is(1, "note", "n"), is(2, "city", "c9")}, 5},
	} {
		for _, property := range []string{"tied", "mixed"} {
			for _, descending := range []bool{false, true} {
				for _, ctx := range []context.Context{t.Context(), restricted} {
					sort := graph.Sort{{Property: property + "_plain", Descending: descending}}
					q := graph.EdgeQuery{Type: "Person", Filter: c.filter, Sort: sort}
					plain := nodePages(ctx, t, s, q, 1000)
					q.Sort[0].Property = property
					require.Equal(t, plain, nodePages(ctx, t, s, q, c.limit), "%s by %s, descending %t", name, property, descending)
				}
				sort := graph.Sort{{Property: property + "_plain", Descending: descending}}
				q := graph.EdgeQuery{Type: "KNOWS", Filter: c.filter, Sort: sort}
				plain := edgePages(t, s, q, 1000)
				q.Sort[0].Property = property
				require.Equal(t, plain, edgePages(t, s, q, c.limit), "edges, %s by %s, descending %t", name, property, descending)
			}
		}
	}
	sent.take()
	byTied := graph.EdgeQuery{Type: "Person", Filter: graph.Filter{is(0, "rare", int64(7))}, Sort: graph.Sort{{Property: "tied"}}}
	require.Len(t, nodePages(t.Context(), t, s, byTied, 20), 24)
	require.Equal(t, []string{"near", "top", "near", "top"}, sent.take(), "two pages of few, the last with those without the property")
	byTied.Filter, byTied.Paging = graph.Filter{is(0, "half", int64(1))}, graph.Paging{Limit: 20}
	_, err = s.edges.read(t.Context(), graph.EdgeQuery{Type: "KNOWS", Filter: byTied.Filter, Sort: byTied.Sort, Paging: byTied.Paging})
	require.NoError(t, err)
	_, err = s.nodes.read(t.Context(), byTied)
	require.NoError(t, err)
	require.Equal(t, []string{"near", "near"}, sent.take(), "a page of many, of each kind")
}

// TestFewInTheOrderOfAnIndexCostOneScan: a page of which the next part of the index has too few costs that part and one scan of the type.
func TestFewInTheOrderOfAnIndexCostOneScan(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	for _, statement := range nearSeed {
		db.Exec(t, statement, nil)
	}
	s := New(neo4jentitytest.Open(t, db))
	_, err := s.sources.counts.Recent(t.Context())
	require.NoError(t, err)
	byMixed := func(f graph.Filter) sortedRead[graph.Node] {
		return sortedReadOf(t.Context(), t, s, graph.EdgeQuery{Type: "Person", Filter: f, Sort: graph.Sort{{Property: "mixed"}}})
	}
	few := graph.Condition{Property: "rare", Operator: graph.Equal, Value: int64(7)}
	anyOf := graph.Filter{few, {Any: 2, Property: "city", Operator: graph.Equal, Value: "c7"}}
	anyOf[0].Any = 1
	for _, filter := range []graph.Filter{{few}, anyOf} {
		for _, start := range []cypher.Start{cypher.FromFirstSet, cypher.FromValue} {
			hits, rows := hitsOf(t, db, byMixed(filter), start, int64(2000))
			require.Zero(t, rows)
			require.Less(t, hits, int64(8*24000/indexWindowPart))
		}
		for _, start := range []cypher.Start{cypher.FromFirst, cypher.FromNotBefore} {
			hits, _ := hitsOf(t, db, byMixed(filter).scanning(), start, int64(2000))
			require.Less(t, hits, int64(4*24000))
		}
	}
	many := graph.Filter{{Property: "half", Operator: graph.Equal, Value: int64(1)}}
	hits, rows := hitsOf(t, db, byMixed(many), cypher.FromValue, int64(2000))
	require.Equal(t, 5, rows)
	require.Less(t, hits, int64(400))
}

func nodePages(ctx context.Context, t *testing.T, s *Lists, q graph.EdgeQuery, limit int) (ids []string) {
	t.Helper()
	return pagesOf(ctx, t, s.nodes, q, limit, func(n graph.Node) string { return n.ID })
}

func edgePages(t *testing.T, s *Lists, q graph.EdgeQuery, limit int) (ids []string) {
	t.Helper()
	return pagesOf(t.Context(), t, s.edges, q, limit, func(e graph.Edge) string { return e.ID })
}

func pagesOf[T any](ctx context.Context, t *testing.T, r *listReader[T], q graph.EdgeQuery, limit int, id func(T) string) (ids []string) {
	t.Helper()
	for q.Paging = (graph.Paging{Limit: limit}); ; {
		page, err := r.read(ctx, q)
		require.NoError(t, err)
		for _, item := range page.Items {
			ids = append(ids, id(item))
		}
		if page.Next == nil {
			return ids
		}
		q.After = page.Next
	}
}
