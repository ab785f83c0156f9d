package storetest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var filterRules = []rule{
	{"every operator matches values of every type as documented, and a type mismatch is no error", filterOperators},
	{"a filter finds the same entities with an index", filterIndexed},
	{"filters keep the list's order, page by position at any page size, and count exactly", filterPages},
	{"a filter on any property key matches exactly that key, and a position is valid for its filter and sort only", filterKeys},
}

// everyKind has named values of every storable type, in sort order.
var everyKind = []struct {
	name  string
	value graph.Value
}{
	{"empty", []graph.Value{}},
	{"texts", []graph.Value{"Ann", "Bob"}},
	{"days", []graph.Value{graph.Date{Days: 100}}},
	{"flags", []graph.Value{true, false}},
	{"integers", []graph.Value{int64(1), int64(1960)}},
	{"floats", []graph.Value{1.5, math.NaN()}},
	{"bytes", graph.Bytes{1, 255}},
	{"point", graph.Point{SRID: graph.SRIDWGS84, X: 13.4, Y: 52.5}},
	{"point3", graph.Point{SRID: graph.SRIDCartesian3D, X: 1, Y: 2, Z: 3}},
	{"instant", graph.DateTime{Seconds: 1700000000, Offset: 3600}},
	{"zoned", graph.DateTime{Seconds: 1700000001, Zone: "Europe/Berlin"}},
	{"local", graph.LocalDateTime{Seconds: 1700000000, Nanos: 1}},
	{"day", graph.Date{Days: 19000}},
	{"later", graph.Date{Days: 19001}},
	{"time", graph.OffsetTime{Nanos: 3600 * 1e9, Offset: -3600}},
	{"clock", graph.LocalTime{Nanos: 3600 * 1e9}},
	{"span", graph.Duration{Months: 1, Days: -2, Seconds: -1, Nanos: 5e8}},
	{"upper", "ANNA"},
	{"text", "Ann Lee"},
	{"digits", "1960"},
	{"false", false},
	{"true", true},
	{"lowest", math.Inf(-1)},
	{"zero", math.Copysign(0, -1)},
	{"int", int64(1960)},
	{"float", 1960.5},
	{"big", int64(9007199254740993)},
	{"nan", math.NaN()},
	{"none", nil},
}

// kinds creates a node, or a self-loop of one, for each value of everyKind.
func (h Harness) kinds(t testing.TB) {
	t.Helper()
	for _, each := range everyKind {
		p := graph.Properties{"name": each.name}
		if each.value != nil {
			p["v"] = each.value
		}
		n := h.node(t, "Kind", p)
		h.edge(t, "KIND", n.ID, n.ID, p)
	}
}

// named returns the sorted names of the entities that a filter finds.
func (h Harness) named(t testing.TB, f graph.Filter) []string {
	t.Helper()
	ctx := context.Background()
	page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: "Kind", Filter: f, Paging: graph.Paging{Limit: 1000, Count: true}})
	require.NoError(t, err, "%+v", f)
	names := []string{}
	for _, n := range page.Items {
		names = append(names, n.Properties["name"].(string))
		require.Equal(t, n.Properties["name"] == "true", n.Properties["v"] == true, "%+v finds values that are there", f)
	}
	require.EqualValues(t, len(names), *page.Total)
	slices.Sort(names)
	fromEdges := []string{}
	edges, err := h.Edges.Edges(ctx, graph.EdgeQuery{Filter: f, Paging: graph.Paging{Limit: 1000}})
	require.NoError(t, err)
	for _, e := range edges.Items {
		fromEdges = append(fromEdges, e.Properties["name"].(string))
	}
	slices.Sort(fromEdges)
	require.Equal(t, names, fromEdges, "edges find what nodes find: %+v", f)
	return names
}

// kindCases are filters on v, and the names that they find in everyKind.
var kindCases = []struct {
	operator graph.Operator
	value    graph.Value
	finds    string // names, separated by spaces
}{
	{graph.Equal, int64(1960), "int"},
	{graph.Equal, 1960.0, "int"},
	{graph.Equal, "1960", "digits"},
	{graph.Equal, true, "true"},
	{graph.Equal, 0.0, "zero"},
	{graph.Equal, int64(9007199254740993), "big"},
	{graph.Equal, math.NaN(), ""},
	{graph.Equal, math.Inf(-1), "lowest"},
	{graph.Equal, graph.Date{Days: 19000}, "day"},
	{graph.Equal, graph.DateTime{Seconds: 1700000000, Offset: 3600}, "instant"},
	{graph.Equal, graph.DateTime{Seconds: 1700000001, Zone: "Europe/Berlin"}, "zoned"},
	{graph.Equal, graph.LocalDateTime{Seconds: 1700000000, Nanos: 1}, "local"},
	{graph.Equal, graph.OffsetTime{Nanos: 3600 * 1e9, Offset: -3600}, "time"},
	{graph.Equal, graph.LocalTime{Nanos: 3600 * 1e9}, "clock"},
	{graph.Equal, graph.Duration{Months: 1, Days: -2, Seconds: -1, Nanos: 5e8}, "span"},
	{graph.Equal, graph.Point{SRID: graph.SRIDWGS84, X: 13.4, Y: 52.5}, "point"},
	{graph.Equal, graph.Point{SRID: graph.SRIDCartesian3D, X: 1, Y: 2, Z: 3}, "point3"},
	{graph.Equal, graph.Point{SRID: graph.SRIDCartesian, X: 1, Y: 2}, ""},
	{graph.Equal, []graph.Value{"Ann", "Bob"}, "texts"},
	{graph.Equal, []graph.Value{}, "empty"},
	{graph.Equal, graph.Bytes{1, 255}, "bytes"},
	{graph.Equal, []graph.Value{int64(1), int64(-1)}, "bytes"},
	{graph.NotEqual, int64(1960), "- int"},
	{graph.NotEqual, "x", "-"},
	{graph.NotEqual, graph.Point{SRID: graph.SRIDWGS84, X: 13.4, Y: 52.5}, "- point"},
	{graph.NotEqual, math.NaN(), "-"},
	{graph.Less, int64(1960), "lowest zero"},
	{graph.LessEqual, 1960.0, "lowest zero int"},
	{graph.Greater, int64(1960), "float big"},
	{graph.Equal, int64(0), "zero"},
	{graph.Less, 0.0, "lowest zero"},
	{graph.LessEqual, int64(0), "lowest zero"},
	{graph.GreaterEqual, 0.0, "int float big"},
	{graph.GreaterEqual, math.Copysign(0, -1), "zero int float big"},
	{graph.Greater, math.Copysign(0, -1), "int float big"},
	{graph.OneOf, []graph.Value{int64(0), int64(1)}, "zero"},
	{graph.NoneOf, []graph.Value{0.0, true}, "- zero true"},
	{graph.GreaterEqual, 1960.5, "float big"},
	{graph.Less, "Ann", "upper digits"},
	{graph.GreaterEqual, "Ann", "text"},
	{graph.Greater, false, "true"},
	{graph.GreaterEqual, graph.Date{Days: 19000}, "day later"},
	{graph.Less, graph.Date{Days: 19001}, "day"},
	{graph.Less, graph.DateTime{Seconds: 1700000001, Offset: 0}, "instant"},
	{graph.Greater, graph.DateTime{Seconds: 1700000000, Nanos: 1, Zone: "America/New_York"}, "zoned"},
	{graph.Less, graph.DateTime{Seconds: 1700000000, Zone: "Europe/Athens"}, "instant"},
	{graph.LessEqual, graph.LocalDateTime{Seconds: 1700000001}, "local"},
	{graph.LessEqual, graph.LocalTime{Nanos: 3600 * 1e9}, "clock"},
	{graph.Less, graph.OffsetTime{Nanos: 3 * 3600 * 1e9}, "time"},
	{graph.Less, graph.OffsetTime{Nanos: 2*3600*1e9 - 1}, ""},
	{graph.OneOf, []graph.Value{int64(1960), "1960", graph.Date{Days: 19001}}, "int digits later"},
	{graph.OneOf, []graph.Value{"nothing"}, ""},
	{graph.OneOf, []graph.Value{graph.Point{SRID: graph.SRIDCartesian3D, X: 1, Y: 2, Z: 3}, true}, "point3 true"},
	{graph.NoneOf, []graph.Value{int64(1960), "1960"}, "- int digits"},
	{graph.Exists, true, "-"},
	{graph.Exists, false, "none"},
	{graph.Contains, "nn", "text"},
	{graph.Contains, "19", "digits"},
	{graph.Contains, "", "upper text digits"},
	{graph.ContainsFold, "nn", "upper text"},
	{graph.ContainsFold, "ÄNN", ""},
	{graph.StartsWith, "Ann", "text"},
	{graph.EndsWith, "60", "digits"},
	{graph.Has, "Bob", "texts"},
	{graph.Has, int64(1960), "integers"},
	{graph.Has, int64(1), "bytes integers"},
	{graph.Has, 1.5, "floats"},
	{graph.Has, graph.Date{Days: 100}, "days"},
	{graph.Has, false, "flags"},
	{graph.Has, "Ann Lee", ""},
}

// expectedNames returns the sorted names of a case. A minus sign means all that have a value, except the given names.
func expectedNames(finds string) []string {
	names := strings.Fields(finds)
	if len(names) > 0 && names[0] == "-" {
		but := names[1:]
		names = nil
		for _, each := range everyKind {
			if each.value != nil && !slices.Contains(but, each.name) {
				names = append(names, each.name)
			}
		}
	}
	return sortedCopy(append([]string{}, names...))
}

func filterOperators(t *testing.T, h Harness) {
	h.kinds(t)
	for _, c := range kindCases {
		condition := graph.Condition{Property: "v", Operator: c.operator, Value: c.value}
		require.Equal(t, expectedNames(c.finds), h.named(t, graph.Filter{condition}), "%s %v", c.operator, c.value)
	}
	both := graph.Filter{
		{Property: "v", Operator: graph.Greater, Value: int64(0)},
		{Property: "v", Operator: graph.Less, Value: 1961.0},
		{Property: "name", Operator: graph.NotEqual, Value: "float"},
	}
	require.Equal(t, []string{"int"}, h.named(t, both), "all conditions must hold")
	h.alternatives(t)
}

// alternatives checks that a filter finds what one of its alternatives finds: of each case and the one some places behind it, the second
// with a further condition, and with one that must hold in any case.
func (h Harness) alternatives(t *testing.T) {
	t.Helper()
	for i, c := range kindCases {
		other := kindCases[(i+7)%len(kindCases)]
		found := slices.DeleteFunc(expectedNames(other.finds), func(name string) bool { return name == "digits" })
		found = slices.DeleteFunc(append(found, expectedNames(c.finds)...), func(name string) bool { return name == "float" })
		slices.Sort(found)
		f := graph.Filter{
			{Any: 1, Property: "v", Operator: c.operator, Value: c.value},
			{Any: 2, Property: "v", Operator: other.operator, Value: other.value},
			{Any: 2, Property: "name", Operator: graph.NotEqual, Value: "digits"},
			{Property: "name", Operator: graph.NotEqual, Value: "float"},
		}
		require.Equal(t, slices.Compact(found), h.named(t, f), "%s %v or %s %v", c.operator, c.value, other.operator, other.value)
	}
}

func filterIndexed(t *testing.T, h Harness) {
	for _, statement := range []string{
		"CREATE INDEX kind_v FOR (n:Kind) ON (n.v)", "CREATE TEXT INDEX kind_text FOR (n:Kind) ON (n.v)",
		"CREATE INDEX kind_edge FOR ()-[r:KIND]-() ON (r.v)", "CALL db.awaitIndexes(60)",
	} {
		h.Cypher(t, statement, nil)
	}
	h.kinds(t)
	for _, c := range kindCases {
		switch c.operator {
		case graph.Equal, graph.OneOf, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual, graph.Exists, graph.Contains,
			graph.StartsWith:
			condition := graph.Condition{Property: "v", Operator: c.operator, Value: c.value}
			require.Equal(t, expectedNames(c.finds), h.named(t, graph.Filter{condition}), "%s %v", c.operator, c.value)
		}
	}
	h.alternatives(t)
}

func filterPages(t *testing.T, h Harness) {
	h.mixedGraph(t)
	h.Cypher(t, "CREATE INDEX plain_n FOR (n:Plain) ON (n.n)", nil)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
	h.Cypher(t, "MATCH (a:Plain) WHERE a.n IS NOT NULL CREATE (a)-[:STEP {n: a.n}]->(a)", nil)
	f := graph.Filter{{Property: "n", Operator: graph.GreaterEqual, Value: int64(10)}, {Property: "n", Operator: graph.Less, Value: 29.5}}
	// The same by alternatives, which the index serves or not.
	is := func(number int, operator graph.Operator, value graph.Value) graph.Condition {
		return graph.Condition{Any: number, Property: "n", Operator: operator, Value: value}
	}
	alternatives := []graph.Filter{
		{f[0], is(1, graph.Equal, int64(10)), is(2, graph.OneOf, numbers(11, 29)), is(3, graph.Equal, int64(29))},
		{f[0], is(1, graph.Less, int64(20)), is(2, graph.GreaterEqual, 20.0), is(2, graph.Less, 29.5)},
	}
	holds := map[string]bool{}
	for _, row := range h.Cypher(t, "MATCH (n) WHERE 10 <= n.n < 29.5 RETURN elementId(n) AS element, n[$id] AS id",
		map[string]any{"id": h.IDProperty}) {
		holds[row["element"].(string)] = true
		if id, ok := row["id"].(string); ok {
			holds[id] = true
		}
	}
	for _, typ := range []graph.TypeName{"", "Plain", "Person", "Doc", "x y`z", "Nothing"} {
		want := slices.DeleteFunc(h.wholeNodeList(t, string(typ)), func(id string) bool { return !holds[id] })
		for _, limit := range []int{3, 1000} {
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: typ, Filter: f}, limit), "type %q, limit %d", typ, limit)
		}
		for _, f := range alternatives {
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: typ, Filter: f}, 7), "type %q, %+v", typ, f)
		}
		for offset := 0; offset <= len(want)+1; offset += 1 + len(want)/5 {
			page, err := h.Nodes.Nodes(context.Background(),
				graph.NodeQuery{Type: typ, Filter: f, Paging: graph.Paging{Limit: 3, Offset: int64(offset), Count: true}})
			require.NoError(t, err)
			from := min(offset, len(want))
			require.Equal(t, want[from:min(from+3, len(want))], nodeIDs(page.Items), "type %q, offset %d", typ, offset)
			require.EqualValues(t, len(want), *page.Total)
		}
	}
	for _, typ := range []graph.TypeName{"", "STEP", "NOTHING"} {
		want := 20
		if typ == "NOTHING" {
			want = 0
		}
		page, err := h.Edges.Edges(context.Background(), graph.EdgeQuery{Type: typ, Filter: f, Paging: graph.Paging{Limit: 3, Count: true}})
		require.NoError(t, err)
		require.EqualValues(t, want, *page.Total)
		require.Len(t, h.walkEdges(t, graph.EdgeQuery{Type: typ, Filter: f}, 7), want)
	}
}

// numbers are the integers from one to before another.
func numbers(from, to int64) []graph.Value {
	var all []graph.Value
	for n := from; n < to; n++ {
		all = append(all, n)
	}
	return all
}

var hostileKeys = []string{
	"a b", "a`b", `a\u0060b`, "$where.k0", "n.x = 1 OR true", "]", "][", "a][b]", "any[1]", "any[2][x", "filter[x]", "'", "ü", "🎬",
	"}) RETURN 1 //",
}

func filterKeys(t *testing.T, h Harness) {
	h.checkPositions(t)
	for i, key := range hostileKeys {
		h.node(t, "Odd", graph.Properties{key: int64(i)})
	}
	for round := range 2 {
		for i, key := range hostileKeys {
			f := graph.Filter{{Property: key, Operator: graph.Equal, Value: int64(i)}}
			require.Len(t, h.walkNodes(t, graph.NodeQuery{Type: "Odd", Filter: f}, 5), 1, key)
			sort := graph.Sort{{Property: key, Descending: true}}
			page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: "Odd", Sort: sort, Paging: graph.Paging{Limit: 1}})
			require.NoError(t, err)
			require.Equal(t, graph.Properties{key: int64(i)}, page.Items[0].Properties)
		}
		if round == 0 { // an index brings the key into the statement's text
			for i, key := range hostileKeys {
				quoted := "`" + strings.ReplaceAll(strings.ReplaceAll(key, `\`, `\u005C`), "`", "``") + "`"
				h.Cypher(t, fmt.Sprintf("CREATE INDEX odd_%d FOR (n:Odd) ON (n.%s)", i, quoted), nil)
			}
			h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
			h.settle(t)
		}
	}
}

func (h Harness) checkPositions(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	for i := range 4 {
		h.node(t, "Person", graph.Properties{"n": int64(i)})
	}
	one := graph.Filter{{Property: "n", Operator: graph.GreaterEqual, Value: int64(0)}}
	two := graph.Filter{{Property: "n", Operator: graph.GreaterEqual, Value: "0"}}
	up, down := graph.Sort{{Property: "n"}}, graph.Sort{{Property: "n", Descending: true}}
	queries := []graph.NodeQuery{{}, {Filter: one}, {Sort: up}, {Sort: down}, {Filter: one, Sort: up}}
	for i, q := range queries {
		q.Paging = graph.Paging{Limit: 1}
		page, err := h.Nodes.Nodes(ctx, q)
		require.NoError(t, err)
		for j, other := range append(slices.Clone(queries), graph.NodeQuery{Filter: two}) {
			other.Paging = graph.Paging{Limit: 1, After: page.Next}
			_, err := h.Nodes.Nodes(ctx, other)
			if i == j {
				require.NoError(t, err)
				continue
			}
			requireInvalid(t, err, "cursor")
		}
	}
}
