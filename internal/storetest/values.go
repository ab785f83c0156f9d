package storetest

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var valueRules = []rule{
	{"every value that Neo4j can store is returned unchanged on create, read, update and list", valuesRoundTrip},
	{"writing back a value that an analyst stored changes nothing", valuesWrittenBack},
	{"an integer stays an integer and a float a float", valuesIntegerAndFloat},
	{"an edge stores every value as a node does", valuesOnEdges},
}

// valuesOfAllKinds returns one value of each kind and the limits of their ranges.
func valuesOfAllKinds() graph.Properties {
	return graph.Properties{
		"true": true, "false": false, "zero": int64(0), "max": int64(math.MaxInt64), "min": int64(math.MinInt64), "odd": int64(9007199254740993),
		"float": 1.0, "tiny": math.SmallestNonzeroFloat64, "huge": math.MaxFloat64, "negative zero": math.Copysign(0, -1),
		"infinite": math.Inf(1), "negative infinite": math.Inf(-1),
		"empty": "", "nul": "a\x00b", "text": "é漢🎬 ` ' \" \\ \\u0060", "long": strings.Repeat("x", 40_000),
		"bytes": graph.Bytes{0, 1, 255}, "no bytes": graph.Bytes{},
		"date": graph.Date{Days: 19844}, "old date": graph.Date{Days: -800000},
		"local time": graph.LocalTime{Nanos: 86399999999999}, "time": graph.OffsetTime{Nanos: 1, Offset: -64800},
		"local datetime": graph.LocalDateTime{Seconds: -1, Nanos: 999999999},
		"offset":         graph.DateTime{Seconds: 1714521600, Nanos: 5, Offset: 19800},
		"zone":           graph.DateTime{Seconds: 1714521600, Zone: "Europe/Berlin"},
		"duration":       graph.Duration{Months: -14, Days: 3, Seconds: -1, Nanos: 500000000},
		"point":          graph.Point{SRID: graph.SRIDWGS84, X: 13.4, Y: 52.5},
		"point 3d":       graph.Point{SRID: graph.SRIDCartesian3D, X: 1, Y: -2, Z: 3.5},
		"list":           []graph.Value{"a", "", "b"}, "integers": []graph.Value{int64(1), int64(-1)}, "floats": []graph.Value{1.0, 0.5},
		"booleans": []graph.Value{true, false}, "dates": []graph.Value{graph.Date{Days: 1}, graph.Date{Days: 2}}, "nothing": []graph.Value{},
		"points": []graph.Value{graph.Point{SRID: graph.SRIDCartesian, X: 1, Y: 2}},
		"zones":  []graph.Value{graph.DateTime{Seconds: 1, Zone: "Asia/Tokyo"}},
	}
}

func requireValues(t testing.TB, want, got graph.Properties) {
	t.Helper()
	require.Len(t, got, len(want))
	for key, value := range want {
		require.Truef(t, graph.EqualValues(value, got[key]), "%s: want %#v, got %#v", key, value, got[key])
	}
}

func valuesRoundTrip(t *testing.T, h Harness) {
	ctx := context.Background()
	want := valuesOfAllKinds()
	made := h.node(t, "Thing", want)
	requireValues(t, want, made.Properties)
	read, err := h.Nodes.Node(ctx, made.ID)
	require.NoError(t, err)
	requireValues(t, want, read.Properties)
	after, err := h.Nodes.UpdateNode(ctx, h.node(t, "Thing", nil).ID, graph.Change{Properties: want})
	require.NoError(t, err)
	requireValues(t, want, after.Properties)
	page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: "Thing", Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	for _, n := range page.Items {
		requireValues(t, want, n.Properties)
	}
}

func valuesWrittenBack(t *testing.T, h Harness) {
	h.Cypher(t, `CREATE (:Legacy {a: datetime('2024-03-31T02:30:00[Europe/Berlin]'), b: duration('P1Y2M3DT4H5M6.7S'), c: 0.1 + 0.2,
		d: point({longitude: 1, latitude: 2, height: 3}), e: [], f: [1.0, 2.0], g: time('10:00:00.000000001+18:00'), h: sqrt(-1),
		i: date('-0044-03-15'),
		j: ['x'], k: localdatetime('9999-12-31T23:59:59.999999999'), l: 1e300 * 1e300, m: '', `+"`a b`"+`: true})`, nil)
	element := h.element(t, "MATCH (n:Legacy) RETURN elementId(n)", nil)
	fingerprint := "MATCH (n:Legacy) UNWIND keys(n) AS k WITH n, k ORDER BY k RETURN collect(k + valueType(n[k]) + toString(size(keys(n)))) " +
		"AS shape, all(same IN collect(n.b = properties(n).b) WHERE same) AS same"
	before := h.Cypher(t, fingerprint, nil)
	read, err := h.Nodes.Node(context.Background(), element)
	require.NoError(t, err)
	after, err := h.Nodes.UpdateNode(context.Background(), element, graph.Change{Properties: read.Properties})
	require.NoError(t, err)
	requireValues(t, read.Properties, after.Properties)
	require.Equal(t, before, h.Cypher(t, fingerprint, nil))
	require.Equal(t, true,
		h.one(t, `MATCH (n:Legacy) RETURN n.a = datetime('2024-03-31T02:30:00[Europe/Berlin]') AND n.b = duration('P1Y2M3DT4H5M6.7S')
		AND n.c = 0.1 + 0.2 AND n.d = point({longitude: 1, latitude: 2, height: 3}) AND isNaN(n.h)
		AND n.k = localdatetime('9999-12-31T23:59:59.999999999')`, nil))
}

func valuesIntegerAndFloat(t *testing.T, h Harness) {
	h.node(t, "Thing", graph.Properties{"i": int64(1), "f": 1.0, "is": []graph.Value{int64(2)}, "fs": []graph.Value{2.0}})
	require.Equal(t, "INTEGER FLOAT LIST<INTEGER> LIST<FLOAT>",
		h.one(t,
			"MATCH (n:Thing) RETURN replace(valueType(n.i) + ' ' + valueType(n.f) + ' ' + valueType(n.is) + ' ' + valueType(n.fs), ' NOT NULL', '')",
			nil))
}

func valuesOnEdges(t *testing.T, h Harness) {
	a := h.node(t, "Thing", nil)
	want := valuesOfAllKinds()
	made := h.edge(t, "HAS", a.ID, a.ID, want)
	requireValues(t, want, made.Properties)
	read, err := h.Edges.Edge(context.Background(), made.ID)
	require.NoError(t, err)
	requireValues(t, want, read.Properties)
	page, err := h.Edges.Edges(context.Background(), graph.EdgeQuery{Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	requireValues(t, want, page.Items[0].Properties)
}
