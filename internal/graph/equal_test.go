package graph_test

import (
	"maps"
	"math"
	"testing"

	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
)

// different returns values of which no two are equal.
func different() []graph.Value {
	return []graph.Value{
		nil, true, false, int64(0), int64(1), 0.0, math.Copysign(0, -1), 1.0, math.NaN(), math.Inf(1), math.Inf(-1), "", "1", "true",
		graph.Bytes{},
		graph.Bytes("1"),
		[]graph.Value{},
		[]graph.Value{int64(1)},
		[]graph.Value{1.0},
		[]graph.Value{"1"},
		[]graph.Value{"1", ""},
		[]graph.Value{"", "1"},
		[]graph.Value{nil},
		graph.Date{},
		graph.Date{Days: 1},
		graph.LocalTime{},
		graph.LocalTime{Nanos: 1},
		graph.OffsetTime{},
		graph.OffsetTime{Offset: 1},
		graph.OffsetTime{Nanos: 1},
		graph.LocalDateTime{},
		graph.LocalDateTime{Nanos: 1},
		graph.LocalDateTime{Seconds: 1},
		graph.DateTime{},
		graph.DateTime{Zone: "UTC"},
		graph.DateTime{Zone: "Etc/UTC"},
		graph.DateTime{Offset: 1},
		graph.DateTime{Seconds: 1},
		graph.DateTime{Nanos: 1},
		graph.Duration{},
		graph.Duration{Months: 1},
		graph.Duration{Days: 1},
		graph.Duration{Seconds: 1},
		graph.Duration{Nanos: 1},
		graph.Point{SRID: 4326},
		graph.Point{SRID: 7203},
		graph.Point{SRID: 7203, X: 1},
		graph.Point{SRID: 7203, Y: 1},
		graph.Point{SRID: 9157, Z: 1},
		graph.Point{SRID: 7203, X: math.Copysign(0, -1)},
		graph.Point{SRID: 7203, X: math.NaN()},
	}
}

func TestEqualValuesTellsApart(t *testing.T) {
	all, again := different(), different()
	for i, a := range all {
		for j, b := range again {
			if got := graph.EqualValues(a, b); got != (i == j) {
				t.Errorf("EqualValues(%#v, %#v) = %v", a, b, got)
			}
			in, other := graph.Properties{"k": a}, graph.Properties{"k": b}
			if got := graph.EqualProperties(in, other); got != (i == j) {
				t.Errorf("EqualProperties of %#v and %#v = %v", a, b, got)
			}
		}
	}
	otherNaN := math.Float64frombits(0x7ff8000000000123)
	if !graph.EqualValues(math.NaN(), otherNaN) {
		t.Error("two NaNs are not equal")
	}
	if graph.EqualValues(struct{}{}, struct{}{}) {
		t.Error("a value outside the closed set is equal to another")
	}
	if graph.EqualProperties(graph.Properties{"a": nil}, graph.Properties{"b": nil}) ||
		graph.EqualProperties(graph.Properties{"a": nil}, nil) {
		t.Error("a nil value is treated as an absent key")
	}
}

func TestRevisionFollowsEquality(t *testing.T) {
	revisions := map[graph.Revision]graph.Value{}
	for _, v := range different() {
		n := graph.Node{ID: "1", Properties: graph.Properties{"k": v}}
		r := n.Revision()
		if before, ok := revisions[r]; ok {
			t.Errorf("%#v and %#v have the same revision", before, v)
		}
		revisions[r] = v
	}
	a := graph.Node{Properties: graph.Properties{"k": math.NaN()}}
	b := graph.Node{Properties: graph.Properties{"k": math.Float64frombits(0x7ff8000000000123)}}
	if a.Revision() != b.Revision() {
		t.Error("two NaNs have different revisions")
	}
	rapid.Check(t, func(t *rapid.T) {
		p, q := graphgen.Properties().Draw(t, "p"), graphgen.Properties().Draw(t, "q")
		if rapid.Bool().Draw(t, "same") {
			q = maps.Clone(p)
		}
		a, b := graph.Node{ID: "1", Properties: p}, graph.Node{ID: "1", Properties: q}
		if (a.Revision() == b.Revision()) != graph.EqualProperties(p, q) {
			t.Fatalf("%#v and %#v", p, q)
		}
	})
}
