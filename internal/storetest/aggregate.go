package storetest

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var aggregateRules = []rule{
	{"groups count the nodes with each value, the largest first, and those without the property", aggregateByValue},
	{"sum, mean, minimum and maximum are exact for integers of 64 bits, floats and dates, and skip other values", aggregateMeasures},
	{"bins put numbers into intervals, and dates and date-times into units of time, in order", aggregateBins},
	{"the bounds of a bin, as a filter, find the nodes that it counts", aggregateBinBounds},
	{"more groups than the limit are truncated", aggregateTruncated},
	{"aggregates of edges count those of a type, of their ends and of a filter", aggregateEdges},
	{"aggregates exclude internal data", aggregateInternal},
}

func (h Harness) aggregate(t testing.TB, typ graph.TypeName, f graph.Filter, a graph.Aggregation) graph.Aggregate {
	t.Helper()
	if a.Limit == 0 {
		a.Limit = graph.DefaultGroups
	}
	found, err := h.Aggregator.AggregateNodes(context.Background(), graph.NodeAggregateQuery{Type: typ, Filter: f, Aggregation: a})
	require.NoError(t, err)
	return found
}

// counts are the counts of groups by value, in order, as pairs.
func counts(found graph.Aggregate) [][2]any {
	pairs := [][2]any{}
	for _, g := range found.Groups {
		pairs = append(pairs, [2]any{g.Value, g.Count})
	}
	return pairs
}

func aggregateByValue(t *testing.T, h Harness) {
	long := strings.Repeat("é", graph.MaxGroupText)
	h.Cypher(t, `UNWIND ['a', 'b', 'b', 'a', 'a', true, [1, 2], [1, 2], $long + 'x', $long + 'y', $long + 'z', $long, null] AS x
		CREATE (:Thing {x: x, n: 1}), (:Other {x: x})`,
		map[string]any{"long": long})
	h.settle(t)
	list := []graph.Value{int64(1), int64(2)}
	want := [][2]any{{long, int64(4)}, {"a", int64(3)}, {list, int64(2)}, {"b", int64(2)}, {true, int64(1)}, {nil, int64(1)}}
	require.Equal(t, want, counts(h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "x"})))
	require.Equal(t, [][2]any{{nil, int64(13)}}, counts(h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "absent"})))
	require.Equal(t, [][2]any{{nil, int64(13)}}, counts(h.aggregate(t, "Thing", nil, graph.Aggregation{})))
	require.Equal(t, [][2]any{{nil, int64(26)}}, counts(h.aggregate(t, "", nil, graph.Aggregation{})))
	filter := graph.Filter{{Property: "x", Operator: graph.Equal, Value: "a"}, {Property: "n", Operator: graph.Greater, Value: int64(0)}}
	require.Equal(t, [][2]any{{"a", int64(3)}}, counts(h.aggregate(t, "Thing", filter, graph.Aggregation{GroupBy: "x"})))
	nothing := h.aggregate(t, "Nothing", nil, graph.Aggregation{Measures: []string{"x"}})
	require.Equal(t, []graph.Group{{Measures: []graph.Measure{{}}}}, nothing.Groups)
	require.Empty(t, h.aggregate(t, "Nothing", nil, graph.Aggregation{GroupBy: "x"}).Groups)
}

func aggregateMeasures(t *testing.T, h Harness) {
	h.Cypher(t, `WITH 9223372036854775807 AS most UNWIND [
		['large', most], ['large', most], ['large', -most], ['small', -7], ['small', 5], ['over', most], ['over', most],
		['mixed', 1], ['mixed', 2.5], ['mixed', 'text'], ['mixed', 0.0 / 0.0], ['mixed', null],
		['date', date('2020-02-29')], ['date', date('1999-12-31')], ['date', 'x']] AS row CREATE (:Thing {k: row[0], v: row[1]})`, nil)
	h.settle(t)
	found := map[any]graph.Measure{}
	for _, g := range h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "k", Measures: []string{"absent", "v"}}).Groups {
		require.Equal(t, graph.Measure{}, g.Measures[0])
		found[g.Value] = g.Measures[1]
	}
	most := int64(math.MaxInt64)
	require.Equal(t, graph.Measure{Count: 3, Numbers: 3, Sum: most, Mean: float64(most) / 3, Min: -most, Max: most}, found["large"])
	require.Equal(t, graph.Measure{Count: 2, Numbers: 2, Sum: int64(-2), Mean: -1.0, Min: int64(-7), Max: int64(5)}, found["small"])
	require.Equal(t, graph.Measure{Count: 2, Numbers: 2, Sum: 2 * float64(most), Mean: float64(most), Min: most, Max: most}, found["over"])
	require.Equal(t, graph.Measure{Count: 4, Numbers: 2, Sum: 3.5, Mean: 1.75, Min: int64(1), Max: 2.5}, found["mixed"])
	require.Equal(t, graph.Measure{Count: 3, Min: graph.Date{Days: 10956}, Max: graph.Date{Days: 18321}}, found["date"])
}

func aggregateBins(t *testing.T, h Harness) {
	h.Cypher(t, `UNWIND [-11, -10, -1, 0, 9, 9.99, 10.0, -0.0, 25, 'x', null, 0.0 / 0.0, 1.0 / 0.0] AS v CREATE (:Thing {v: v})`, nil)
	h.Cypher(t, `UNWIND [date('2020-01-31'), date('2020-02-01'), date('2020-03-01'), date('2020-03-31'), localdatetime('2020-03-31T23:59:59'),
		datetime('2020-04-01T00:30:00+02:00'), datetime('2020-03-31T23:00:00Z'), 7, localtime('10:00')] AS at CREATE (:Witness {at: at})`, nil)
	h.settle(t)
	bounds := func(found graph.Aggregate) [][3]any {
		rows := [][3]any{}
		for _, g := range found.Groups {
			rows = append(rows, [3]any{g.Value, g.Until, g.Count})
		}
		return rows
	}
	i := func(n int64) any { return n }
	require.Equal(t, [][3]any{
		{i(-20), i(-10), i(1)}, {i(-10), i(0), i(3)}, {i(0), i(10), i(3)}, {i(10), i(20), i(1)}, {i(20), i(30), i(1)}, {nil, nil, i(4)},
	}, bounds(h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "v", Bin: graph.Bin{Width: int64(10)}})))
	require.Equal(t, [][3]any{{-12.5, 0.0, i(4)}, {0.0, 12.5, i(4)}, {25.0, 37.5, i(1)}, {nil, nil, i(4)}},
		bounds(h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "v", Bin: graph.Bin{Width: 12.5}})))
	day := func(n int64) graph.Date { return graph.Date{Days: n} }
	const march = 1583020800 // 2020-03-01T00:00:00Z
	require.ElementsMatch(t, [][3]any{
		{day(18262), day(18293), i(1)},
		{day(18293), day(18322), i(1)},
		{day(18322), day(18353), i(2)},
		{graph.LocalDateTime{Seconds: march}, graph.LocalDateTime{Seconds: march + 31*86400}, i(1)},
		{graph.DateTime{Seconds: march}, graph.DateTime{Seconds: march + 31*86400}, i(2)},
		{nil, nil, i(2)},
	}, bounds(h.aggregate(t, "Witness", nil, graph.Aggregation{GroupBy: "at", Bin: graph.Bin{Unit: "month"}})))
	for _, unit := range graph.Units() {
		total := int64(0)
		for _, g := range h.aggregate(t, "Witness", nil, graph.Aggregation{GroupBy: "at", Bin: graph.Bin{Unit: unit}}).Groups {
			total += g.Count
			require.Equal(t, g.Value == nil, g.Until == nil, unit)
		}
		require.EqualValues(t, 9, total, unit)
	}
}

func aggregateBinBounds(t *testing.T, h Harness) {
	h.Cypher(t, `UNWIND [i IN range(0, 30) | i / 10.0] + [i IN range(0, 30) | i * 0.1] + [i IN range(-30, -1) | i / 10.0] + range(-3, 3)
		+ [-0.0, 4503599627370497, -4503599627370497.5, 1e-323, 3e-320, 1.7e308] AS v
		CREATE (:Thing {v: v})`, nil)
	h.settle(t)
	for _, width := range []graph.Value{0.1, 0.2, 0.3, 0.7, 1e-3, 5e-324, 1e15, int64(1), int64(3), int64(1_000_000_007), int64(1 << 52)} {
		total := int64(0)
		for _, g := range h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "v", Bin: graph.Bin{Width: width}}).Groups {
			total += g.Count
			if g.Value == nil {
				continue
			}
			found := h.aggregate(t, "Thing", graph.Filter{
				{Property: "v", Operator: graph.GreaterEqual, Value: g.Value}, {Property: "v", Operator: graph.Less, Value: g.Until},
			}, graph.Aggregation{})
			require.Equal(t, g.Count, found.Groups[0].Count, "width %v, from %v to below %v", width, g.Value, g.Until)
		}
		require.EqualValues(t, 105, total, width)
	}
}

func aggregateTruncated(t *testing.T, h Harness) {
	h.Cypher(t, "UNWIND range(1, 20) AS i CREATE (:Thing {v: i / 2})", nil)
	h.settle(t)
	found := h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "v", Limit: 3})
	require.Equal(t, [][2]any{{int64(1), int64(2)}, {int64(2), int64(2)}, {int64(3), int64(2)}}, counts(found))
	require.True(t, found.Truncated)
	require.False(t, h.aggregate(t, "Thing", nil, graph.Aggregation{GroupBy: "v", Limit: 11}).Truncated)
}

func aggregateEdges(t *testing.T, h Harness) {
	ids := h.lattice(t)
	count := func(q graph.EdgeAggregateQuery) any {
		q.Limit = graph.DefaultGroups
		found, err := h.Aggregator.AggregateEdges(context.Background(), q)
		require.NoError(t, err)
		require.Len(t, found.Groups, 1)
		return found.Groups[0].Count
	}
	for _, q := range []graph.EdgeAggregateQuery{
		{},
		{Type: "ROAD"},
		{Type: "Nothing"},
		{SourceID: ids["a"]},
		{TargetID: ids["a"]},
		{NodeID: ids["a"]},
		{NodeID: ids["b"], Type: "ROAD"},
		{SourceID: ids["a"], TargetID: ids["b"]},
		{SourceID: ids["b"], TargetID: ids["a"]},
		{SourceID: ids["a"], NodeID: ids["a"]},
		{TargetID: ids["b"], NodeID: ids["a"]},
		{NodeID: "nothing"},
		{NodeID: ids["a"], Filter: graph.Filter{{Property: "name", Operator: graph.StartsWith, Value: "ab"}}},
		{Filter: graph.Filter{{Property: "name", Operator: graph.StartsWith, Value: "ab"}}},
	} {
		listed, err := h.Edges.Edges(context.Background(), graph.EdgeQuery{
			Type: q.Type, SourceID: q.SourceID, TargetID: q.TargetID, NodeID: q.NodeID, Filter: q.Filter,
			Paging: graph.Paging{Limit: 1000, Count: true},
		})
		require.NoError(t, err)
		require.EqualValues(t, *listed.Total, count(q), "%+v", q)
	}
	found, err := h.Aggregator.AggregateEdges(context.Background(), graph.EdgeAggregateQuery{
		SourceID: ids["a"], TargetID: ids["b"], Aggregation: graph.Aggregation{GroupBy: "name", Limit: 10},
	})
	require.NoError(t, err)
	require.Equal(t, [][2]any{{"ab", int64(1)}, {"ab2", int64(1)}}, counts(found))
}

func aggregateInternal(t *testing.T, h Harness) {
	h.Cypher(t, `CREATE (a:Person {v: 1}), (b:Person:_GraphrestOther {v: 2}), (c:_graphrestlower {v: 3}),
		(d:Place {v: 4}), (a)-[:KNOWS {v: 1}]->(d),
		(a)-[:KNOWS {v: 2}]->(b), (c)-[:KNOWS {v: 3}]->(a), (a)-[:_GraphrestKnows {v: 4}]->(d)`, nil)
	h.settle(t)
	by := graph.Aggregation{GroupBy: "v", Limit: 10}
	require.Equal(t, [][2]any{{int64(1), int64(1)}}, counts(h.aggregate(t, "Person", nil, by)))
	require.Equal(t, [][2]any{{int64(1), int64(1)}, {int64(4), int64(1)}}, counts(h.aggregate(t, "", nil, by)))
	person := h.element(t, "MATCH (n:Person {v: 1}) RETURN elementId(n)", nil)
	for _, q := range []graph.EdgeAggregateQuery{{Aggregation: by}, {Type: "KNOWS", Aggregation: by}, {NodeID: person, Aggregation: by}} {
		found, err := h.Aggregator.AggregateEdges(context.Background(), q)
		require.NoError(t, err)
		require.Equal(t, [][2]any{{int64(1), int64(1)}}, counts(found), "%+v", q)
	}
}
