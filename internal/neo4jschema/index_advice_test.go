package neo4jschema

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func openForAdvice(t *testing.T, db *neo4jtest.DB) *IndexStore {
	t.Helper()
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	background := func(work func(context.Context)) { running.Go(func() { work(ctx) }) }
	noneManaged := func(context.Context, time.Duration) (labels, types []string, err error) { return nil, nil, nil }
	t.Cleanup(func() {
		stop()
		running.Wait()
		_ = client.Close(context.Background())
	})
	return Open(Config{
		Client: client, Audit: neo4jaudit.New(client, neo4jaudit.Config{}), Background: background, Managed: noneManaged, IDProperty: "uuid",
		Limits: NameLimits{NodeTypes: 1000, EdgeTypes: 1000, PropertyKeys: 10_000, NewTypes: 100, NewKeys: 1000},
		Log:    slog.New(slog.DiscardHandler),
	}).IndexStore
}

// TestIndexAdvice: slow lists of two replicas are added up in the database; lists that an index serves are omitted, also after the index
// was created; and the advised indexes can be created as they are.
func TestIndexAdvice(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "CREATE (:Person {score: 1}), (:`Odd ,\"` {`p``q`: 'x'})", nil)
	db.Exec(t, "CREATE INDEX by_age FOR (n:Person) ON (n.age)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	ctx := context.Background()
	first, second := openForAdvice(t, db), openForAdvice(t, db)
	recordSlow := func(s *IndexStore, typ graph.TypeName, f graph.Filter, by graph.Sort, took time.Duration, err error) {
		s.CountSlowList(ctx, graph.NodeKind, typ, f, by, time.Now().Add(-took), err)
	}
	score := graph.Condition{Property: "score", Operator: graph.GreaterEqual, Value: int64(1)}
	name := graph.Condition{Property: "name", Operator: graph.Contains, Value: "x"}
	age := graph.Condition{Property: "age", Operator: graph.Equal, Value: int64(1)}
	fold := graph.Condition{Property: "name", Operator: graph.ContainsFold, Value: "x"}
	recordSlow(first, "Person", graph.Filter{score}, nil, time.Second, nil)
	recordSlow(first, "Person", nil, graph.Sort{{Property: "score", Descending: true}}, 2*time.Second, fault.New(fault.DatabaseTimeout, "x"))
	recordSlow(second, "Person", graph.Filter{score}, nil, time.Second, nil)
	recordSlow(second, "Person", graph.Filter{score, name}, nil, 10*time.Second, nil)
	recordSlow(second, "Odd ,\"", graph.Filter{{Property: "p`q", Operator: graph.Equal, Value: "x"}}, nil, time.Minute, nil)
	for _, s := range []*IndexStore{first, second} { // none of these counts
		recordSlow(s, "Person", graph.Filter{score}, nil, indexedListCost/2, nil)
		recordSlow(s, "Person", graph.Filter{score}, nil, time.Minute, fault.New(fault.NotFound, "x"))
		recordSlow(s, "Person", graph.Filter{age, score}, nil, time.Minute, nil)
		recordSlow(s, "Person", graph.Filter{fold}, nil, time.Minute, nil)
		recordSlow(s, "Person", nil, graph.Sort{{Property: "age"}}, time.Minute, nil)
		recordSlow(s, "", graph.Filter{score}, nil, time.Minute, nil)
		recordSlow(s, "Person", graph.Filter{{Property: "uuid", Operator: graph.Equal, Value: "x"}}, nil, time.Minute, nil)
		long := graph.Condition{Property: strings.Repeat("p", maxShapeBytes), Operator: graph.Equal, Value: "x"}
		recordSlow(s, "Person", graph.Filter{long}, nil, time.Minute, nil)
	}
	require.NoError(t, first.flushSlowLists(ctx))
	advice, err := second.IndexAdvice(ctx)
	require.NoError(t, err)
	summarize := func(advice []graph.IndexAdvice) []string {
		var out []string
		for _, a := range advice {
			saved := a.Saved.Truncate(time.Second)
			out = append(out, fmt.Sprint(a.Index.Name, a.Index.Kind, a.Index.Type, a.Index.Properties, a.Count, saved, len(a.Asked)))
			require.Positive(t, a.Elapsed-a.Saved)
		}
		return out
	}
	require.Len(t, advice, 3)
	require.Regexp(t, `^xodd____p_q_[0-9a-f]{8} *range *Odd ," *\[p.q\] *1 *59s *1$`, summarize(advice)[0])
	require.Equal(t, []string{"person_name_texttextPerson[name] 1 9s 1", "person_scorerangePerson[score] 3 3s 2"}, summarize(advice)[1:])

	for _, a := range advice {
		_, err := first.CreateIndex(ctx, a.Index)
		require.NoError(t, err)
	}
	advice, err = second.IndexAdvice(ctx)
	require.NoError(t, err)
	require.Empty(t, advice)
	require.NoError(t, first.DeleteIndex(ctx, "person_score"))
	advice, err = second.IndexAdvice(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"person_scorerangePerson[score] 3 3s 2"}, summarize(advice))
}

// TestAlternativesNeedAnIndexEach: each that no index serves is a separate shape, unless one of them cannot be served or a condition beside
// them can be.
func TestAlternativesNeedAnIndexEach(t *testing.T) {
	var keys IndexedKeys
	keys.add("RANGE", "Person", []string{"age"})
	s := &IndexStore{idProperty: "uuid"}
	is := func(number int, property string, operator graph.Operator) graph.Condition {
		return graph.Condition{Any: number, Property: property, Operator: operator, Value: "x"}
	}
	atEnd := is(2, "name", graph.Equal)
	atEnd.Side = graph.TargetSide
	name, age, city := is(1, "name", graph.Equal), is(2, "age", graph.Less), is(3, "city", graph.Contains)
	byAge := graph.Sort{{Property: "age"}}
	for _, c := range []struct {
		name string
		all  graph.Filter
		sort graph.Sort
		want []string // the properties of the indexes
	}{
		{"each without an index", graph.Filter{name, age, city}, nil, []string{"range [name]", "text [city]"}},
		{"in the order of an index", graph.Filter{name, age}, byAge, []string{"range [name]"}},
		{"several conditions", graph.Filter{name, is(1, "note", graph.Has), is(1, "city", graph.Less), age}, nil, []string{"range [name city]"}},
		{"all have one", graph.Filter{is(1, "age", graph.Equal), age}, nil, nil},
		{"one that none serves", graph.Filter{name, is(2, "note", graph.Has)}, nil, nil},
		{"the id", graph.Filter{name, is(2, "uuid", graph.Equal)}, nil, nil},
		{"an end", graph.Filter{name, atEnd}, nil, nil},
		{"a condition beside them", graph.Filter{name, is(0, "note", graph.Has), is(0, "grade", graph.Equal)}, nil, []string{"range [grade]"}},
		{"one beside them that none serves", graph.Filter{name, is(0, "note", graph.Has)}, nil, []string{"range [name]"}},
	} {
		var advised []string
		for _, shape := range s.unservedShapes(graph.NodeKind, "Person", c.all, c.sort, keys) {
			n, can := shape.candidate("uuid")
			require.True(t, can)
			advised = append(advised, fmt.Sprint(string(n.Kind), " ", n.Properties))
		}
		require.Equal(t, c.want, advised, c.name)
	}
}

// TestAnIndexOnSeveralPropertiesNeedsConditionsOnAll: equalities on all, or a range on the last.
func TestAnIndexOnSeveralPropertiesNeedsConditionsOnAll(t *testing.T) {
	var keys IndexedKeys
	keys.add("RANGE", "Person", []string{"a", "b"})
	keys.add("TEXT", "Person", []string{"c"})
	condition := func(property string, operator graph.Operator) graph.Condition {
		return graph.Condition{Property: property, Operator: operator, Value: "x"}
	}
	for _, c := range []struct {
		name string
		all  graph.Filter
		want bool
	}{
		{"one of them", graph.Filter{condition("a", graph.Equal)}, false},
		{"both", graph.Filter{condition("a", graph.Equal), condition("b", graph.OneOf)}, true},
		{"a range on the last", graph.Filter{condition("a", graph.Equal), condition("b", graph.Less)}, true},
		{"a range on the first", graph.Filter{condition("a", graph.Less), condition("b", graph.Equal)}, false},
		{"an operator that no range index serves", graph.Filter{condition("a", graph.Equal), condition("b", graph.Contains)}, false},
		{"a zero, which is a range", graph.Filter{{Property: "a", Operator: graph.Equal, Value: int64(0)}, condition("b", graph.Equal)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, keys.ServesAmong("Person", c.all[0], c.all))
			shape := shapeOf(graph.NodeKind, "Person", c.all, nil)
			if c.name != "a zero, which is a range" { // a shape has no values
				require.Equal(t, c.want, shape.served(keys))
			}
		})
	}
	both := graph.Filter{condition("a", graph.Equal), condition("b", graph.Equal)}
	require.False(t, keys.ServesAmong("Other", both[0], both), "another type")
}

// TestIndexesServeAlternativesIfTheyServeEach: an alternative is served by one of its conditions, or by several together.
func TestIndexesServeAlternativesIfTheyServeEach(t *testing.T) {
	var keys IndexedKeys
	keys.add("RANGE", "Person", []string{"a"})
	keys.add("RANGE", "Person", []string{"b", "c"})
	is := func(number int, property string, operator graph.Operator) graph.Condition {
		return graph.Condition{Any: number, Property: property, Operator: operator, Value: "x"}
	}
	served, other := is(1, "a", graph.Less), is(2, "a", graph.Equal)
	exists := is(2, "a", graph.Exists)
	exists.Value = true
	atEnd := is(2, "a", graph.Equal)
	atEnd.Side = graph.TargetSide
	for _, c := range []struct {
		name        string
		all         graph.Filter
		want, could bool
	}{
		{"each is one condition", graph.Filter{served, other}, true, true},
		{"a range", graph.Filter{served, is(1, "a", graph.Greater), other}, true, true},
		{"one condition of each", graph.Filter{served, is(1, "note", graph.Has), other, is(2, "d", graph.Equal)}, true, true},
		{"several properties together", graph.Filter{served, is(2, "b", graph.Equal), is(2, "c", graph.Less)}, true, true},
		{"several properties in two alternatives", graph.Filter{served, is(2, "b", graph.Equal), is(3, "c", graph.Less)}, false, true},
		{"one in an alternative, one beside", graph.Filter{served, is(2, "b", graph.Equal), is(0, "c", graph.Less)}, false, true},
		{"none of one", graph.Filter{served, is(2, "d", graph.Equal)}, false, true},
		{"existence", graph.Filter{served, exists}, false, false},
		{"an end", graph.Filter{served, atEnd}, false, false},
		{"an end beside what is served", graph.Filter{served, other, atEnd}, false, false},
	} {
		require.Equal(t, c.want, keys.ServesAmong("Person", served, c.all), c.name)
		require.Equal(t, c.want, keys.ServesAlternatives("Person", c.all), c.name)
		require.Equal(t, c.could, AlternativesCanBeServed(c.all), c.name)
	}
	require.False(t, keys.ServesAlternatives("Person", graph.Filter{is(0, "a", graph.Equal)}), "no alternatives")
	require.False(t, keys.ServesAmong("Person", is(1, "note", graph.Has), graph.Filter{served, is(1, "note", graph.Has), other}))
}

// TestNoIndexOnEdgesServesTheirEnds: an index on edges has their own properties only, also if those of an end have the same names.
func TestNoIndexOnEdgesServesTheirEnds(t *testing.T) {
	var keys IndexedKeys
	keys.add("RANGE", "KNOWS", []string{"a"})
	keys.add("RANGE", "KNOWS", []string{"b", "c"})
	own := func(property string) graph.Condition {
		return graph.Condition{Property: property, Operator: graph.Equal, Value: "x"}
	}
	at := func(property string) graph.Condition {
		c := own(property)
		c.Side = graph.TargetSide
		return c
	}
	require.True(t, keys.ServesAmong("KNOWS", own("a"), graph.Filter{own("a")}))
	require.False(t, keys.ServesAmong("KNOWS", at("a"), graph.Filter{at("a")}))
	require.False(t, keys.ServesAmong("KNOWS", own("b"), graph.Filter{own("b"), at("c")}))
	require.False(t, keys.ServesAmong("KNOWS", at("c"), graph.Filter{own("b"), own("c"), at("c")}))
	sort := graph.Sort{{Property: "a"}, {Side: graph.SourceSide, Property: "b"}, {Property: "c"}}
	filter, keysBefore := servableParts(graph.Filter{at("a"), own("b")}, sort)
	require.Equal(t, graph.Filter{own("b")}, filter)
	require.Equal(t, sort[:1], keysBefore)
}

// TestIndexAdviceIsBounded: if there are too many shapes, those of the lowest cost are dropped, in memory and in the database.
func TestIndexAdviceIsBounded(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	s := openForAdvice(t, db)
	ctx := context.Background()
	fill := func(prefix string, saved int64) {
		var costs listCosts // not the store's, which it may flush at any time
		for i := range maxListShapes + 5 {
			costs.add(map[string]listCost{fmt.Sprint(prefix, i): {count: 1, elapsed: saved + int64(i), saved: saved + int64(i)}})
		}
		require.Len(t, costs.costs, maxListShapes)
		require.NotContains(t, costs.costs, prefix+"0")
		s.slowLists.add(costs.drain())
		require.Empty(t, costs.costs)
		require.NoError(t, s.flushSlowLists(ctx))
	}
	fill("dear", 1_000_000)
	fill("cheap", 1)
	require.Eventually(t, func() bool { // the store may be flushing as well
		return db.Count(t, "MATCH (a:_GraphrestListShape) RETURN count(a)", nil) == maxListShapes &&
			db.Count(t, "MATCH (a:_GraphrestListShape) WHERE a.key STARTS WITH 'dear' RETURN count(a)", nil) == maxListShapes
	}, time.Minute, 50*time.Millisecond)
	require.NoError(t, s.flushSlowLists(ctx), "nothing to add")
}
