package neo4jstore_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// TestFiltersUseIndexes: the statements of a filter on an indexed property seek in that index.
func TestFiltersUseIndexes(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	for _, statement := range []string{
		"CREATE CONSTRAINT i_id FOR (n:Indexed) REQUIRE n.uuid IS UNIQUE", "CREATE INDEX i_n FOR (n:Indexed) ON (n.n)",
		"CREATE TEXT INDEX i_s FOR (n:Indexed) ON (n.s)",
		"CREATE INDEX r_n FOR ()-[r:INDEXED]-() ON (r.n)",
		"UNWIND range(1, 5000) AS i CREATE (n:Indexed {uuid: randomUUID(), n: i, s: 'text ' + i})-[:INDEXED {n: i}]->(n)",
		"CALL db.awaitIndexes(60)", "CALL db.prepareForReplanning(60)",
	} {
		db.Exec(t, statement, nil)
	}
	nodeSlots := cypher.Slots{
		"labels": cypher.Quote("Indexed"), "label": cypher.Quote("Indexed"), "of": cypher.OfLabels(cypher.Quote("Indexed")),
		"id": cypher.Quote("uuid"), "internal": cypher.Quote("_Graphrest"),
	}
	edgeSlots := cypher.Slots{
		"types": cypher.Quote("INDEXED"), "type": cypher.Quote("INDEXED"), "id": cypher.Quote("uuid"), "ends": cypher.NoEnds,
	}
	for _, c := range []struct {
		statement cypher.Statement
		slots     cypher.Slots
		variable  cypher.Variable
		sort      bool
		operator  string
		key       string
		want      string
	}{
		{cypher.ListNodesScan, nodeSlots, cypher.NodeVariable, false, "eq", "n", "NodeIndexSeek"},
		{cypher.ListNodesScan, nodeSlots, cypher.NodeVariable, false, "zero", "n", "NodeIndexSeekByRange"},
		{cypher.ListNodesScan, nodeSlots, cypher.NodeVariable, false, "gte", "n", "NodeIndexSeekByRange"},
		{cypher.ListNodesScan, nodeSlots, cypher.NodeVariable, false, "in", "n", "NodeIndexSeek"},
		{cypher.ListNodesScan, nodeSlots, cypher.NodeVariable, false, "contains", "s", "NodeIndexContainsScan"},
		{cypher.ListNodesSorted, nodeSlots, cypher.NodeVariable, true, "lt", "n", "NodeIndexSeekByRange"},
		{cypher.ListNodesSoughtCount, nodeSlots, cypher.NodeVariable, false, "eq", "n", "NodeIndexSeek"},
		{cypher.ListEdgesScan, edgeSlots, cypher.EdgeVariable, false, "eq", "n", "DirectedRelationshipIndexSeek"},
		{cypher.ListEdgesSorted, edgeSlots, cypher.EdgeVariable, true, "gt", "n", "DirectedRelationshipIndexSeekByRange"},
	} {
		t.Run(c.statement.Name+" "+c.operator, func(t *testing.T) {
			slots := cypher.Slots{"where": cypher.Where(c.variable, []cypher.Condition{{Operator: c.operator, Key: cypher.Quote(c.key)}})}
			if c.sort {
				for name, value := range cypher.Order(c.variable, []cypher.SortKey{{Descending: true}}) {
					slots[name] = value
				}
			}
			for _, name := range c.statement.Slots {
				if _, filled := slots[name]; !filled {
					slots[name] = c.slots[name]
				}
			}
			plan := neo4jtest.Plan(t, db, c.statement.Text(slots).String(), nil)
			require.Contains(t, plan, "+"+c.want+" ", plan)
			require.NotContains(t, plan, "+AllNodesScan")
		})
	}
}

// TestSlowFiltersRunOutOfTime: a filter that reads too much fails with DATABASE_TIMEOUT, and the connection serves the next call.
func TestSlowFiltersRunOutOfTime(t *testing.T) {
	s, db := open(t, func(c *settings) { c.client.QueryTimeout, c.client.PoolSize = time.Second, 1 })
	for range 3 {
		db.Exec(t, "WITH reduce(s = 'Äb', i IN range(1, 15) | s + s) AS long UNWIND range(1, 100) AS i CREATE (:Slow {s: long})", nil)
	}
	f := make(graph.Filter, graph.MaxConditions)
	for i := range f {
		f[i] = graph.Condition{Property: "s", Operator: graph.ContainsFold, Value: "bä"}
	}
	for _, sort := range []graph.Sort{nil, {{Property: "s"}}} {
		var err error
		for range 5 { // on a busy machine the database may seem to be unreachable
			_, err = s.Nodes(t.Context(), graph.NodeQuery{Type: "Slow", Filter: f, Sort: sort, Paging: graph.Paging{Limit: 1000, Count: true}})
			if fault.CodeOf(err) != fault.DatabaseUnavailable {
				break
			}
		}
		require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(err), "%v", err)
		_, err = s.Nodes(t.Context(), graph.NodeQuery{Type: "Slow", Paging: graph.Paging{Limit: 1}})
		require.NoError(t, err)
	}
}

// TestFilterInAnUnknownZone: the fault names the condition, like a property in a write.
func TestFilterInAnUnknownZone(t *testing.T) {
	testmark.EveryRelease(t)
	s, _ := open(t, nil)
	f := graph.Filter{{Property: "at", Operator: graph.Less, Value: graph.DateTime{Zone: "Mars/Olympus_Mons"}, Field: "filter[at][lt]"}}
	for range 2 {
		_, err := s.Nodes(t.Context(), graph.NodeQuery{Filter: f, Paging: graph.Paging{Limit: 1}})
		require.Equal(t, fault.Validation, fault.CodeOf(err), "%v", err)
		require.Equal(t, "filter[at][lt]", fault.As(err).Details[0].Field)
	}
}

// TestHugeOffsetsOfSortedLists: no offset is larger than the database's integers.
func TestHugeOffsetsOfSortedLists(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	db.Exec(t, "CREATE (:A {v: 1}), (:A {v: 2})", nil)
	page, err := s.Nodes(t.Context(),
		graph.NodeQuery{Sort: graph.Sort{{Property: "v"}}, Paging: graph.Paging{Limit: 10, Offset: math.MaxInt64 >> 1, Count: true}})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.EqualValues(t, 2, *page.Total)
}

// TestFiltersMatchAModel: for generated values and conditions a list has the entities that a simple filter in Go selects.
func TestFiltersMatchAModel(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	s, db := open(t, nil)
	values := rapid.OneOf(
		rapid.Map(rapid.Int64Range(-3, 3), func(n int64) graph.Value { return n }),
		rapid.Map(rapid.SampledFrom([]float64{-1.5, 0, math.Copysign(0, -1), 0.5, 2, math.Inf(1), math.NaN()}),
			func(f float64) graph.Value { return f }),
		rapid.Map(rapid.StringOfN(rapid.SampledFrom([]rune("aAbäß\\'`$")), 0, 3, -1), func(s string) graph.Value { return s }),
		rapid.Map(rapid.Bool(), func(b bool) graph.Value { return b }),
		rapid.Map(rapid.Int64Range(-2, 2), func(n int64) graph.Value { return graph.Date{Days: n} }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]graph.Value{"a", "b"}), 0, 2), func(l []graph.Value) graph.Value { return l }),
	)
	db.Exec(t, "CREATE INDEX model_v FOR (n:Indexed) ON (n.v)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	rapid.Check(t, func(r *rapid.T) {
		db.Exec(t, "MATCH (n) WHERE n:Plain OR n:Indexed DETACH DELETE n", nil)
		stored := rapid.SliceOfN(values, 1, 12).Draw(r, "held")
		for _, label := range []graph.TypeName{"Plain", "Indexed"} {
			for i, v := range stored {
				_, err := s.CreateNode(t.Context(), graph.NewNode{Type: label, Properties: graph.Properties{"v": v, "i": int64(i)}})
				require.NoError(r, err)
			}
		}
		for range 6 {
			c := graph.Condition{Property: "v", Operator: rapid.SampledFrom(graph.Operators).Draw(r, "operator")}
			c.Value = drawOperand(r, c.Operator, values)
			var want []int64
			for i, v := range stored {
				if modelMatches(c, v) {
					want = append(want, int64(i))
				}
			}
			for _, label := range []graph.TypeName{"Plain", "Indexed"} {
				page, err := s.Nodes(t.Context(), graph.NodeQuery{Type: label, Filter: graph.Filter{c}, Paging: graph.Paging{Limit: 100}})
				require.NoError(r, err)
				var got []int64
				for _, n := range page.Items {
					got = append(got, n.Properties["i"].(int64))
				}
				slices.Sort(got) // the list is ordered by ids
				require.Equal(r, want, got, "%s: %s %#v among %#v", label, c.Operator, c.Value, stored)
			}
		}
	})
}

// drawOperand draws a literal that an operator accepts.
func drawOperand(r *rapid.T, o graph.Operator, values *rapid.Generator[graph.Value]) graph.Value {
	isList := func(v graph.Value) bool { _, is := v.([]graph.Value); return is }
	switch o {
	case graph.Exists:
		return rapid.Bool().Draw(r, "exists")
	case graph.Contains, graph.ContainsFold, graph.StartsWith, graph.EndsWith:
		return rapid.StringOfN(rapid.SampledFrom([]rune("aAbä")), 0, 2, -1).Draw(r, "text")
	case graph.OneOf, graph.NoneOf:
		return rapid.SliceOfN(values, 1, 4).Draw(r, "values")
	case graph.Equal, graph.NotEqual:
		return values.Draw(r, "value")
	default:
		return values.Filter(func(v graph.Value) bool { return !isList(v) }).Draw(r, "value")
	}
}

// modelMatches is the contract of a condition.
func modelMatches(c graph.Condition, v graph.Value) bool {
	text, isText := v.(string)
	list, isList := v.([]graph.Value)
	literal, _ := c.Value.(string)
	switch c.Operator {
	case graph.Equal:
		return equalValues(v, c.Value)
	case graph.NotEqual:
		return !equalValues(v, c.Value)
	case graph.OneOf, graph.NoneOf:
		found := slices.ContainsFunc(c.Value.([]graph.Value), func(e graph.Value) bool { return equalValues(v, e) })
		return found == (c.Operator == graph.OneOf)
	case graph.Exists:
		return c.Value == true
	case graph.Contains:
		return isText && strings.Contains(text, literal)
	case graph.ContainsFold:
		return isText && strings.Contains(strings.ToLower(text), strings.ToLower(literal))
	case graph.StartsWith:
		return isText && strings.HasPrefix(text, literal)
	case graph.EndsWith:
		return isText && strings.HasSuffix(text, literal)
	case graph.Has:
		return isList && slices.ContainsFunc(list, func(e graph.Value) bool { return equalValues(e, c.Value) })
	}
	less, equal := lessThan(v, c.Value), equalValues(v, c.Value)
	more := lessThan(c.Value, v)
	switch c.Operator {
	case graph.Less:
		return less
	case graph.LessEqual:
		return less || equal && !more
	case graph.Greater:
		return more
	default:
		return more || equal && !less
	}
}

func equalValues(a, b graph.Value) bool {
	x, isNumber := asNumber(a)
	y, areNumbers := asNumber(b)
	if isNumber && areNumbers {
		return x == y
	}
	return graph.EqualValues(a, b)
}

// lessThan reports whether both are of one kind and a is less than b.
func lessThan(a, b graph.Value) bool {
	if x, is := asNumber(a); is {
		y, are := asNumber(b)
		return are && (x < y || x == y && math.Signbit(x) && !math.Signbit(y)) // -0.0 equals 0 and is less
	}
	switch a := a.(type) {
	case string:
		b, is := b.(string)
		return is && a < b
	case bool:
		b, is := b.(bool)
		return is && !a && b
	case graph.Date:
		b, is := b.(graph.Date)
		return is && a.Days < b.Days
	}
	return false
}

func asNumber(v graph.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
