package graph_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func TestCheckValue(t *testing.T) {
	type list = []graph.Value
	point := graph.Point{SRID: 4326, X: 1, Y: 2}
	for _, c := range []struct {
		name  string
		value graph.Value
		wrong string // part of the message; empty for a valid value
	}{
		{"nil", nil, "null"},
		{"string with NUL", "a\x00b", ""},
		{"invalid UTF-8", "\xff", "UTF-8"},
		{"NaN", math.NaN(), ""},
		{"int", 1, "must be"},
		{"map", map[string]any{}, "must be"},
		{"bytes of Go", []byte{1}, "must be"},
		{"strings of Go", []string{"a"}, "must be"},
		{"empty list", list{}, ""},
		{"list of strings", list{"a", "b"}, ""},
		{"list with nil", list{"a", nil}, "null"},
		{"list of nil", list{nil}, "null"},
		{"list in a list", list{list{}}, "lists"},
		{"bytes in a list", list{graph.Bytes{1}}, "byte arrays"},
		{"integers and floats", list{int64(1), 1.0}, "one type only"},
		{"strings and booleans", list{"a", true}, "one type only"},
		{"local and offset times", list{graph.LocalTime{}, graph.OffsetTime{}}, "one type only"},
		{"offset and zone", list{graph.DateTime{Offset: 60}, graph.DateTime{Zone: "UTC"}}, ""},
		{"points of one system", list{point, point}, ""},
		{"points of two systems", list{point, graph.Point{SRID: 7203, X: 1, Y: 2}}, "one coordinate system"},
		{"bad element", list{"a", "\xff"}, "UTF-8"},
		{"unknown in a list", list{struct{}{}}, "must be"},
		{"last day", graph.Date{Days: graph.MaxDay}, ""},
		{"day too late", graph.Date{Days: graph.MaxDay + 1}, "range"},
		{"day too early", graph.Date{Days: graph.MinDay - 1}, "range"},
		{"time of a day", graph.LocalTime{Nanos: 86400e9}, "range"},
		{"negative time", graph.OffsetTime{Nanos: -1}, "range"},
		{"offset", graph.OffsetTime{Offset: 64801}, "range"},
		{"last second", graph.LocalDateTime{Seconds: graph.MaxSecond, Nanos: 999999999}, ""},
		{"second too late", graph.LocalDateTime{Seconds: graph.MaxSecond + 1}, "range"},
		{"nanoseconds", graph.LocalDateTime{Nanos: 1e9}, "range"},
		{"last local second with an offset", graph.DateTime{Seconds: graph.MaxSecond + 64800, Offset: -64800}, ""},
		{"local second too late", graph.DateTime{Seconds: graph.MaxSecond, Offset: 1}, "range"},
		{"second near overflow", graph.DateTime{Seconds: math.MaxInt64, Offset: 1}, "range"},
		{"offset and zone at once", graph.DateTime{Offset: 1, Zone: "UTC"}, "range"},
		// The limits were determined by experiment with org.neo4j.values.storable.DurationValue.
		{"longest months", graph.Duration{Months: 3507324295523}, ""},
		{"too many months", graph.Duration{Months: 3507324295524}, "range"},
		{"longest days", graph.Duration{Days: 106751991167300, Seconds: 55807}, ""},
		{"days and seconds", graph.Duration{Days: 106751991167300, Seconds: 55808}, "range"},
		{"shortest days", graph.Duration{Days: -106751991167300, Seconds: -55808}, ""},
		{"days and seconds below", graph.Duration{Days: -106751991167300, Seconds: -55809}, "range"},
		{"longest seconds", graph.Duration{Seconds: math.MaxInt64, Nanos: 999999999}, ""},
		{"shortest seconds", graph.Duration{Seconds: math.MinInt64}, ""},
		{"parts of different signs", graph.Duration{Months: 3507324295522, Seconds: math.MinInt64}, ""},
		{"sum in between", graph.Duration{Months: 3507324295523, Days: 106751991167300, Seconds: math.MinInt64}, "range"},
		{"product that wraps around", graph.Duration{Days: math.MinInt64}, "range"},
		{"negative nanoseconds", graph.Duration{Nanos: -1}, "range"},
		{"point", point, ""},
		{"unknown system", graph.Point{SRID: 1}, "SRID"},
		{"point of NaN", graph.Point{SRID: 7203, X: math.NaN()}, "finite"},
		{"point of infinity", graph.Point{SRID: 9157, Z: math.Inf(-1)}, "finite"},
		{"third coordinate in the plane", graph.Point{SRID: 7203, Z: 1}, "third"},
		{"pole", graph.Point{SRID: 4979, X: -180, Y: 90, Z: 1e300}, ""},
		{"beyond the pole", graph.Point{SRID: 4979, Y: 90.1}, "latitude"},
		{"beyond the date line", graph.Point{SRID: 4326, X: -180.1}, "longitude"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := graph.CheckValue("f", c.value)
			switch {
			case c.wrong == "" && f != nil:
				t.Errorf("rejected: %v", f)
			case c.wrong != "" && (f == nil || f.Details[0].Field != "f" || !strings.Contains(f.Details[0].Message, c.wrong)):
				t.Errorf("got %v", f)
			}
		})
	}
}

func fields(faults []*fault.Error) []string {
	names := []string{}
	for _, f := range faults {
		names = append(names, f.Details[0].Field)
	}
	return names
}

func TestCheckPropertiesNamesWhatIsWrong(t *testing.T) {
	long := strings.Repeat("é", 200) // 400 bytes
	p := graph.Properties{
		"": 1.0, "a\x00": 1.0, "\xff": 1.0, "mixed": []graph.Value{1.0, "a"}, "nil": nil, "good": "x", long: struct{}{},
	}
	over, faults := graph.CheckProperties("properties", p, graph.DefaultLimits, true)
	want := []string{
		"properties.", "properties.a\x00", "properties.mixed", "properties." + strings.Repeat("é", 127) + "…",
		"properties.\uFFFD",
	}
	if len(over) != 0 || !slices.Equal(fields(faults), want) {
		t.Errorf("got %v, %q", over, fields(faults))
	}
	if _, faults := graph.CheckProperties("properties", p, graph.DefaultLimits, false); !slices.Contains(fields(faults), "properties.nil") {
		t.Errorf("nil is accepted without allowNil: %q", fields(faults))
	}
}

func TestCheckPropertiesTellsWhatIsOverALimit(t *testing.T) {
	limits := graph.Limits{List: 2, String: 3, Keys: 6, Key: 4}
	atLimit := graph.Properties{
		"list": []graph.Value{"abc", "abc"}, "str": "abc", "byte": graph.Bytes("abc"), "keys": true, "gone": nil, "too long, but goes": nil,
	}
	if over, faults := graph.CheckProperties("properties", atLimit, limits, true); len(over)+len(faults) > 0 {
		t.Errorf("at the limit: %v, %v", over, faults)
	}
	p := graph.Properties{
		"list": []graph.Value{int64(1), int64(2), int64(3)}, "str": "abcd", "byte": graph.Bytes("abcd"), "inner": []graph.Value{"a"},
		"l": []graph.Value{"a", "abcd"}, "ok": "abc",
	}
	over, faults := graph.CheckProperties("properties", p, limits, false)
	if want := []string{"byte", "inner", "l", "list", "str"}; len(faults) > 0 || !slices.Equal(over.Keys(), want) {
		t.Errorf("got %v, %v", over.Keys(), faults)
	}
	wantFields := []string{"properties.byte", "properties.inner", "properties.l", "properties.list", "properties.str"}
	if !slices.Equal(fields(over.Faults()), wantFields) {
		t.Errorf("got %v", over.Faults())
	}
	many := graph.Properties{"gone": nil, "bad": struct{}{}}
	for i := range 7 {
		many["k"+strconv.Itoa(i)] = true
	}
	over, faults = graph.CheckProperties("properties", many, limits, true)
	if len(over.Keys()) != 7 || !slices.Equal(fields(over.Faults()), []string{"properties"}) || len(faults) != 1 {
		t.Errorf("too many keys: got %v, %v, %v", over.Keys(), over.Faults(), faults)
	}
	if graph.Oversize(nil).Keys() != nil || graph.Oversize(nil).Faults() != nil {
		t.Error("without properties over a limit the result must be nil")
	}
}
