package typedjson

import (
	"math"
	"testing"

	"graphrest/internal/graph"
)

func TestAppendValue(t *testing.T) {
	for _, c := range []struct {
		name  string
		value graph.Value
		want  string
	}{
		{"null", nil, `null`},
		{"boolean", true, `true`},
		{"integer", int64(1), `1`},
		{"largest integer", int64(math.MaxInt64), `9223372036854775807`},
		{"smallest integer", int64(math.MinInt64), `-9223372036854775808`},
		{"whole float", 1.0, `1.0`},
		{"large float", 1e300, `1e+300`},
		{"float beyond 2^53", 1e20, `100000000000000000000.0`},
		{"small float", 1e-7, `1e-07`},
		{"shortest float", 0.1, `0.1`},
		{"zero float", 0.0, `0.0`},
		{"negative zero", math.Copysign(0, -1), `-0.0`},
		{"smallest float", 5e-324, `5e-324`},
		{"NaN", math.NaN(), `{"$type":"Float","_value":"NaN"}`},
		{"infinity", math.Inf(1), `{"$type":"Float","_value":"Infinity"}`},
		{"negative infinity", math.Inf(-1), `{"$type":"Float","_value":"-Infinity"}`},
		{"string", "a\"b\\c/<>&'\u007f", `"a\"b\\c/<>&'` + "\u007f\""},
		{"control characters", "\x00\x01\b\t\n\f\r\x1f", `"\u0000\u0001\b\t\n\f\r\u001f"`},
		{"line separators", "\u2027\u2028\u2029\u202a", "\"\u2027\\u2028\\u2029\u202a\""},
		{"astral", "😀é", `"😀é"`},
		{"invalid UTF-8", "a\xffb\xe2\x80", `"a\ufffdb\ufffd\ufffd"`},
		{"string like a tag", `{"$type":"Date"}`, `"{\"$type\":\"Date\"}"`},
		{"bytes", graph.Bytes{0, 1, 0xff}, `{"$type":"Base64","_value":"AAH/"}`},
		{"no bytes", graph.Bytes{}, `{"$type":"Base64","_value":""}`},
		{"empty list", []graph.Value{}, `[]`},
		{"list of floats", []graph.Value{1.0, math.NaN()}, `[1.0,{"$type":"Float","_value":"NaN"}]`},
		{"date", graph.Date{Days: 19844}, `{"$type":"Date","_value":"2024-05-01"}`},
		{"year 0", graph.Date{Days: -719528}, `{"$type":"Date","_value":"0000-01-01"}`},
		{"year -1", graph.Date{Days: -719529}, `{"$type":"Date","_value":"-0001-12-31"}`},
		{"year 9999", graph.Date{Days: 2932896}, `{"$type":"Date","_value":"9999-12-31"}`},
		{"year 10000", graph.Date{Days: 2932897}, `{"$type":"Date","_value":"+10000-01-01"}`},
		{"first day", graph.Date{Days: graph.MinDay}, `{"$type":"Date","_value":"-999999999-01-01"}`},
		{"last day", graph.Date{Days: graph.MaxDay}, `{"$type":"Date","_value":"+999999999-12-31"}`},
		{"local time", graph.LocalTime{Nanos: 45296100000000}, `{"$type":"LocalTime","_value":"12:34:56.1"}`},
		{"midnight", graph.LocalTime{}, `{"$type":"LocalTime","_value":"00:00:00"}`},
		{"last nanosecond", graph.LocalTime{Nanos: 86399999999999}, `{"$type":"LocalTime","_value":"23:59:59.999999999"}`},
		{"time", graph.OffsetTime{Nanos: 1, Offset: -5400}, `{"$type":"Time","_value":"00:00:00.000000001-01:30"}`},
		{"time with seconds of offset", graph.OffsetTime{Offset: 3630}, `{"$type":"Time","_value":"00:00:00+01:00:30"}`},
		{"local date and time", graph.LocalDateTime{Seconds: -1, Nanos: 5e8}, `{"$type":"LocalDateTime","_value":"1969-12-31T23:59:59.5"}`},
		{"offset", graph.DateTime{Seconds: 1714557600, Offset: 7200}, `{"$type":"OffsetDateTime","_value":"2024-05-01T12:00:00+02:00"}`},
		{"no offset", graph.DateTime{Seconds: 1714557600}, `{"$type":"OffsetDateTime","_value":"2024-05-01T10:00:00Z"}`},
		{
			"zone",
			graph.DateTime{Seconds: 1714557600, Zone: "Europe/Berlin"},
			`{"$type":"ZonedDateTime","_value":"2024-05-01T12:00:00+02:00[Europe/Berlin]"}`,
		},
		{"zone at zero offset", graph.DateTime{Seconds: 0, Zone: "UTC"}, `{"$type":"ZonedDateTime","_value":"1970-01-01T00:00:00Z[UTC]"}`},
		{
			"zone before 1970",
			graph.DateTime{Seconds: -5364662400, Zone: "Europe/Berlin"},
			`{"$type":"ZonedDateTime","_value":"1800-01-01T00:00:00Z[Europe/Berlin]"}`,
		},
		{
			"zone that Go does not know",
			graph.DateTime{Seconds: 1714557600, Zone: "SystemV/EST5EDT"},
			`{"$type":"ZonedDateTime","_value":"2024-05-01T10:00:00Z[SystemV/EST5EDT]"}`,
		},
		{"no duration", graph.Duration{}, `{"$type":"Duration","_value":"PT0S"}`},
		{"duration", graph.Duration{Days: 14, Seconds: 58320}, `{"$type":"Duration","_value":"P14DT16H12M"}`},
		{
			"duration of all parts",
			graph.Duration{Months: 14, Days: -3, Seconds: 3661, Nanos: 1e8},
			`{"$type":"Duration","_value":"P1Y2M-3DT1H1M1.1S"}`,
		},
		{"half a second less", graph.Duration{Seconds: -1, Nanos: 5e8}, `{"$type":"Duration","_value":"PT-0.5S"}`},
		{"an hour and half a second less", graph.Duration{Seconds: -3601, Nanos: 5e8}, `{"$type":"Duration","_value":"PT-1H-0.5S"}`},
		{"months less", graph.Duration{Months: -13}, `{"$type":"Duration","_value":"P-1Y-1M"}`},
		{
			"shortest duration of seconds",
			graph.Duration{Seconds: math.MinInt64, Nanos: 5},
			`{"$type":"Duration","_value":"PT-2562047788015215H-30M-7.999999995S"}`,
		},
		{"point", graph.Point{SRID: 4326, X: 13.4, Y: 52}, `{"$type":"Point","_value":"SRID=4326;POINT (13.4 52.0)"}`},
		{"point in space", graph.Point{SRID: 9157, X: 1, Y: -2, Z: 1e300}, `{"$type":"Point","_value":"SRID=9157;POINT Z (1.0 -2.0 1e+300)"}`},
		{"what no property holds", struct{}{}, `{"$type":"Unsupported","_value":null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(AppendValue(nil, c.value)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAppendEntities(t *testing.T) {
	node := graph.Node{ID: "1", Type: "A", Labels: []string{"A", "B"}, Properties: graph.Properties{"b": int64(1), "a": "x", "": true}}
	want := `>{"id":"1","type":"A","labels":["A","B"],"properties":{"":true,"a":"x","b":1}}`
	if got := string(AppendNode([]byte(">"), &node)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(AppendNode(nil, &graph.Node{ID: "1"})), `{"id":"1","type":null,"labels":[],"properties":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	edge := graph.Edge{ID: "1", Type: `K"`, SourceID: "2", TargetID: "3"}
	if got, want := string(AppendEdge(nil, &edge)), `{"id":"1","type":"K\"","source_id":"2","target_id":"3","properties":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
