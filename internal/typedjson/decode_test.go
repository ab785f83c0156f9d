package typedjson

import (
	"math"
	"strings"
	"testing"

	"graphrest/internal/graph"
)

func TestParseValue(t *testing.T) {
	tag := func(name, text string) string { return `{"$type":"` + name + `","_value":"` + text + `"}` }
	const second = 1714557600 // 2024-05-01T10:00:00Z
	for _, c := range []struct {
		name, text string
		want       graph.Value
	}{
		{"null", `null`, nil},
		{"spaces", " \t\r\n1 ", int64(1)},
		{"largest integer", `9223372036854775807`, int64(math.MaxInt64)},
		{"smallest integer", `-9223372036854775808`, int64(math.MinInt64)},
		{"integer minus zero", `-0`, int64(0)},
		{"float minus zero", `-0.0`, math.Copysign(0, -1)},
		{"whole float", `1.0`, 1.0},
		{"exponent", `1e3`, 1000.0},
		{"large exponent", `1E+300`, 1e300},
		{"underflow", `1e-400`, 0.0},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"`, "\"\\/\b\f\n\r\té😀\x00"},
		{"list", `[1,2]`, []graph.Value{int64(1), int64(2)}},
		{"empty list", `[]`, []graph.Value{}},
		{"list of tags and plain values", `["a",` + tag("String", "b") + `]`, []graph.Value{"a", "b"}},
		{"list of floats", `[1.0,{"$type":"Float","_value":"-Infinity"}]`, []graph.Value{1.0, math.Inf(-1)}},
		{
			"list of offset and zone",
			`[` + tag("OffsetDateTime", "2024-05-01T10:00:00Z") + `,` + tag("ZonedDateTime", "2024-05-01T10:00:00Z[UTC]") + `]`,
			[]graph.Value{graph.DateTime{Seconds: second}, graph.DateTime{Seconds: second, Zone: "UTC"}},
		},
		{"members swapped", `{"_value":"2024-05-01","$type":"Date"}`, graph.Date{Days: 19844}},
		{"members escaped", `{"\u0024type":"Date","_value":"2024-05-01"}`, graph.Date{Days: 19844}},
		{"NaN", tag("Float", "NaN"), math.NaN()},
		{"Float text", tag("Float", "1"), 1.0},
		{"Float number", `{"$type":"Float","_value":1}`, 1.0},
		{"Integer text", tag("Integer", "-42"), int64(-42)},
		{"Integer number", `{"$type":"Integer","_value":42}`, int64(42)},
		{"Boolean", `{"$type":"Boolean","_value":true}`, true},
		{"Boolean false", `{"$type":"Boolean","_value":false}`, false},
		{"Base64", tag("Base64", "AAH/"), graph.Bytes{0, 1, 255}},
		{"empty Base64", tag("Base64", ""), graph.Bytes{}},
		{"leap day", tag("Date", "2024-02-29"), graph.Date{Days: 19782}},
		{"leap century", tag("Date", "2000-02-29"), graph.Date{Days: 11016}},
		{"year 12345", tag("Date", "+12345-01-01"), graph.Date{Days: 3789391}},
		{"LocalTime without seconds", tag("LocalTime", "12:30"), graph.LocalTime{Nanos: 45000e9}},
		{"nine digits", tag("LocalTime", "00:00:00.000000001"), graph.LocalTime{Nanos: 1}},
		{"Time hours of offset", tag("Time", "00:00:00+01"), graph.OffsetTime{Offset: 3600}},
		{"Time seconds of offset", tag("Time", "00:00:00-01:00:30"), graph.OffsetTime{Offset: -3630}},
		{"largest offset", tag("Time", "00:00:00+18:00"), graph.OffsetTime{Offset: 64800}},
		{"LocalDateTime", tag("LocalDateTime", "2024-05-01T10:00:00.5"), graph.LocalDateTime{Seconds: second, Nanos: 5e8}},
		{"OffsetDateTime", tag("OffsetDateTime", "2024-05-01T12:00:00+02:00"), graph.DateTime{Seconds: second, Offset: 7200}},
		{
			"ZonedDateTime", tag("ZonedDateTime", "2024-05-01T12:00:00+02:00[Europe/Berlin]"),
			graph.DateTime{Seconds: second, Zone: "Europe/Berlin"},
		},
		{"zone decides", tag("ZonedDateTime", "2024-05-01T12:00:00[Europe/Berlin]"), graph.DateTime{Seconds: second, Zone: "Europe/Berlin"}},
		// What java.time.ZonedDateTime.of answers for the same clock times.
		{"gap", tag("ZonedDateTime", "2024-03-31T02:30:00[Europe/Berlin]"), graph.DateTime{Seconds: 1711848600, Zone: "Europe/Berlin"}},
		{"overlap", tag("ZonedDateTime", "2024-10-27T02:30:00[Europe/Berlin]"), graph.DateTime{Seconds: 1729989000, Zone: "Europe/Berlin"}},
		{
			"overlap, later offset given", tag("ZonedDateTime", "2024-10-27T02:30:00+01:00[Europe/Berlin]"),
			graph.DateTime{Seconds: 1729992600, Zone: "Europe/Berlin"},
		},
		{
			"day that never was", tag("ZonedDateTime", "2011-12-30T12:00:00[Pacific/Apia]"),
			graph.DateTime{Seconds: 1325282400, Zone: "Pacific/Apia"},
		},
		{
			"before 1970, in UTC", tag("ZonedDateTime", "1800-01-01T11:06:32Z[Europe/Berlin]"),
			graph.DateTime{Seconds: -5364622408, Zone: "Europe/Berlin"},
		},
		{
			"before 1970, by Neo4j's offset", tag("ZonedDateTime", "1935-07-01T12:00:00+01:19:32[Europe/Amsterdam]"),
			graph.DateTime{Seconds: -1088860772, Zone: "Europe/Amsterdam"},
		},
		{
			"before 1970, by Go's offset", tag("ZonedDateTime", "1935-07-01T12:00:00+01:00[Europe/Amsterdam]"),
			graph.DateTime{Seconds: -1088859600, Zone: "Europe/Amsterdam"},
		},
		{
			"the first time of 1970, without an offset", tag("ZonedDateTime", "1970-01-01T01:00:00[Europe/Berlin]"),
			graph.DateTime{Seconds: 0, Zone: "Europe/Berlin"},
		},
		{
			"far future by rule", tag("ZonedDateTime", "9999-07-01T12:00:00[Europe/Berlin]"),
			graph.DateTime{Seconds: 253386439200, Zone: "Europe/Berlin"},
		},
		{
			"last day of a leap year, by rule", tag("ZonedDateTime", "2072-12-31T12:00:00[Europe/Dublin]"),
			graph.DateTime{Seconds: 3250411200, Zone: "Europe/Dublin"},
		},
		{
			"old zone as an instant", tag("ZonedDateTime", "2024-05-01T10:00:00Z[SystemV/AST4]"),
			graph.DateTime{Seconds: second, Zone: "SystemV/AST4"},
		},
		{"Duration", tag("Duration", "P14DT16H12M"), graph.Duration{Days: 14, Seconds: 58320}},
		{"Duration weeks", tag("Duration", "P2W1D"), graph.Duration{Days: 15}},
		{"Duration signs", tag("Duration", "P-1Y+1M-1DT1M-0.5S"), graph.Duration{Months: -11, Days: -1, Seconds: 59, Nanos: 5e8}},
		{"Duration sign before", tag("Duration", "-P1Y-1DT0.5S"), graph.Duration{Months: -12, Days: 1, Seconds: -1, Nanos: 5e8}},
		{"Duration fraction of a week", tag("Duration", "P1.5W"), graph.Duration{Days: 10, Seconds: 43200}},
		{"Duration fraction of a day", tag("Duration", "P-1.5D"), graph.Duration{Days: -1, Seconds: -43200}},
		{"Duration fraction of an hour", tag("Duration", "PT1.5H"), graph.Duration{Seconds: 5400}},
		{"Duration longest", tag("Duration", "PT9223372036854775807S"), graph.Duration{Seconds: math.MaxInt64}},
		{"Point", tag("Point", "SRID=4326;POINT (13.4 52)"), graph.Point{SRID: 4326, X: 13.4, Y: 52}},
		{"Point spaces", tag("Point", "SRID=7203; POINT( 1e3  -2.5 )"), graph.Point{SRID: 7203, X: 1000, Y: -2.5}},
		{"Point in space", tag("Point", "SRID=4979;POINT Z (1 2 3)"), graph.Point{SRID: 4979, X: 1, Y: 2, Z: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, f := ParseValue("v", c.text)
			if f != nil || !graph.EqualValues(got, c.want) {
				t.Errorf("%s: got %#v, %v; want %#v", c.text, got, f, c.want)
			}
		})
	}
}

func TestParseValueRejects(t *testing.T) {
	tag := func(name, text string) string { return `{"$type":"` + name + `","_value":"` + text + `"}` }
	for _, c := range []struct{ name, text, field, message string }{
		{"integer of 2^63", `9223372036854775808`, "v", "integer must be between"},
		{"integer below -2^63", `-9223372036854775809`, "v", "integer must be between"},
		{"long integer", strings.Repeat("9", 400), "v", "integer must be between"},
		{"overflow", `1e400`, "v", "too large"},
		{"leading zero", `01`, "v", "valid number"},
		{"plus", `+1`, "v", "JSON value"},
		{"bare point", `1.`, "v", "valid number"},
		{"bare exponent", `1e`, "v", "valid number"},
		{"bare minus", `-`, "v", "valid number"},
		{"NaN literal", `NaN`, "v", "JSON value"},
		{"hexadecimal", `0x10`, "v", "more text"},
		{"map", `{"b":1}`, "v", "must not be an object"},
		{"empty map", `{}`, "v", "must not be an object"},
		{"map in a list", `["a",{"b":1}]`, "v[1]", "must not be an object"},
		{"null in a list", `[1,null]`, "v[1]", "null"},
		{"list in a list", `[[1]]`, "v[0]", "lists"},
		{"mixed list", `[1,"a"]`, "v", "one type only"},
		{"integers and floats", `[1,1.5]`, "v", "one type only"},
		{
			"points of two systems", `[` + tag("Point", "SRID=4326;POINT (1 2)") + `,` + tag("Point", "SRID=7203;POINT (1 2)") + `]`, "v",
			"one coordinate system",
		},
		{"bytes in a list", `[` + tag("Base64", "AA==") + `]`, "v", "byte arrays"},
		{"unknown tag", tag("Blob", "x"), "v", "$type must be one of"},
		{"tag in another case", tag("date", "2024-05-01"), "v", "$type must be one of"},
		{"tag without value", `{"$type":"Date"}`, "v", "_value"},
		{"tag without type", `{"_value":"x"}`, "v", "must not be an object"},
		{"tag that is no string", `{"$type":1,"_value":"x"}`, "v", "$type must be a string"},
		{"tag with another member", `{"$type":"Date","_value":"2024-05-01","b":1}`, "v.b", "not a member"},
		{"tag with a member twice", `{"$type":"Date","_value":"2024-05-01","_value":"2024-05-02"}`, "v._value", "more than once"},
		{"value that is no string", `{"$type":"Date","_value":20240501}`, "v", "must be a string"},
		{"value null", `{"$type":"String","_value":null}`, "v", "must be a string"},
		{"Boolean as text", tag("Boolean", "true"), "v", "true or false"},
		{"Integer with fraction", tag("Integer", "1.0"), "v", "decimal digits"},
		{"Integer too large", tag("Integer", "9223372036854775808"), "v", "integer must be between"},
		{"Integer with space", tag("Integer", " 1"), "v", "decimal digits"},
		{"Float of Java", tag("Float", "1.0f"), "v", "Float must be"},
		{"Float hexadecimal", tag("Float", "0x1p3"), "v", "Float must be"},
		{"Float inf", tag("Float", "inf"), "v", "Float must be"},
		{"Float overflow", tag("Float", "1e400"), "v", "too large"},
		{"Base64 without padding", tag("Base64", "AA"), "v", "padding"},
		{"Base64 of URLs", tag("Base64", "-_8="), "v", "standard alphabet"},
		{"Base64 with a line end", `{"$type":"Base64","_value":"AAH/\n"}`, "v", "standard alphabet"},
		{"Base64 with stray bits", tag("Base64", "AB=="), "v", "standard alphabet"},
		{"February 30", tag("Date", "2024-02-30"), "v", "has a day that does not exist: 2024-02 has no day 30"},
		{"February 29 in a common year", tag("Date", "1900-02-29"), "v", "has a day that does not exist: 1900-02 has no day 29"},
		{"month 13", tag("Date", "2024-13-01"), "v", "has the month 13: there are 01 to 12"},
		{"day 0", tag("Date", "2024-01-00"), "v", "has a day that does not exist: 2024-01 has no day 00"},
		{"short year", tag("Date", "24-01-01"), "v", "must be a date"},
		{"five digits without a sign", tag("Date", "12345-01-01"), "v", "must be a date"},
		{"plus with four digits", tag("Date", "+2024-01-01"), "v", "must be a date"},
		{"year -0", tag("Date", "-0000-01-01"), "v", "must be a date"},
		{"year too large", tag("Date", "+1000000000-01-01"), "v", "must be a date"},
		{"date with time", tag("Date", "2024-05-01T00:00:00"), "v", "must be a date"},
		{"basic date", tag("Date", "20240501"), "v", "must be a date"},
		{"hour 24", tag("LocalTime", "24:00:00"), "v", "has the hour 24: there are 00 to 23"},
		{"second 60", tag("LocalTime", "23:59:60"), "v", "has the second 60: there are 00 to 59"},
		{"ten digits", tag("LocalTime", "00:00:00.0000000001"), "v", "nine digits"},
		{"point without digits", tag("LocalTime", "00:00:00."), "v", "must be a time"},
		{"comma", tag("LocalTime", "00:00:00,5"), "v", "must be a time"},
		{"LocalTime with offset", tag("LocalTime", "00:00:00Z"), "v", "must be a time"},
		{"Time without offset", tag("Time", "00:00:00"), "v", "offset"},
		{"offset beyond 18", tag("Time", "00:00:00+18:00:01"), "v", "offset"},
		{"offset of 60 minutes", tag("Time", "00:00:00+01:60"), "v", "offset"},
		{"offset without colon", tag("Time", "00:00:00+0100"), "v", "offset"},
		{"small letters", tag("LocalDateTime", "2024-05-01t10:00:00"), "v", "a date and a time"},
		{"LocalDateTime with offset", tag("LocalDateTime", "2024-05-01T10:00:00Z"), "v", "without an offset"},
		{"OffsetDateTime without offset", tag("OffsetDateTime", "2024-05-01T10:00:00"), "v", "offset"},
		{"OffsetDateTime with zone", tag("OffsetDateTime", "2024-05-01T10:00:00Z[UTC]"), "v", "offset"},
		{"ZonedDateTime without zone", tag("ZonedDateTime", "2024-05-01T10:00:00Z"), "v", "name of its time zone"},
		{"offset not of the zone", tag("ZonedDateTime", "2024-05-01T12:00:00+01:00[Europe/Berlin]"), "v", "does not have at that time"},
		{"offset in a gap", tag("ZonedDateTime", "2024-03-31T02:30:00+01:00[Europe/Berlin]"), "v", "does not have at that time"},
		{"unknown zone", tag("ZonedDateTime", "2024-05-01T12:00:00[Mars/Olympus]"), "v", "not known"},
		{"zone of the machine", tag("ZonedDateTime", "2024-05-01T12:00:00[Local]"), "v", "not known"},
		{"empty zone", tag("ZonedDateTime", "2024-05-01T12:00:00[]"), "v", "not known"},
		{"zone with leap seconds", tag("ZonedDateTime", "2024-05-01T12:00:00[right/Europe/Berlin]"), "v", "not known"},
		{"zone that climbs", tag("ZonedDateTime", "2024-05-01T12:00:00[../Europe/Berlin]"), "v", "not known"},
		{"zone that Neo4j refuses", tag("ZonedDateTime", "2024-05-01T12:00:00[EST]"), "v", "not known"},
		{"old zone with offset", tag("ZonedDateTime", "2024-05-01T12:00:00-04:00[SystemV/AST4]"), "v", "in UTC"},
		{"Duration without parts", tag("Duration", "P"), "v", "ISO 8601"},
		{"Duration without time", tag("Duration", "P1DT"), "v", "ISO 8601"},
		{"Duration out of order", tag("Duration", "P1D1Y"), "v", "ISO 8601"},
		{"Duration part twice", tag("Duration", "P1D1D"), "v", "ISO 8601"},
		{"Duration time without T", tag("Duration", "P1H"), "v", "ISO 8601"},
		{"Duration date behind T", tag("Duration", "PT1D"), "v", "ISO 8601"},
		{"Duration without unit", tag("Duration", "P1"), "v", "ISO 8601"},
		{"Duration ten digits", tag("Duration", "PT0.0000000001S"), "v", "ISO 8601"},
		{"Duration fraction first", tag("Duration", "PT1.5H1S"), "v", "last part"},
		{"Duration fraction of a year", tag("Duration", "P1.5Y"), "v", "not of years or months"},
		{"Duration overflow", tag("Duration", "P9223372036854775807W"), "v", "64 bits"},
		{"Duration long number", tag("Duration", "P99999999999999999999D"), "v", "ISO 8601"},
		{"Duration that Neo4j cannot hold", tag("Duration", "P106751991167301D"), "v", "out of the range"},
		{"Point without SRID", tag("Point", "POINT (1 2)"), "v", "must be written as"},
		{"Point of unknown SRID", tag("Point", "SRID=3857;POINT (1 2)"), "v", "SRID must be"},
		{"Point with too many", tag("Point", "SRID=4326;POINT (1 2 3)"), "v", "as many coordinates"},
		{"Point with too few", tag("Point", "SRID=4979;POINT Z (1 2)"), "v", "as many coordinates"},
		{"Point of Z in the plane", tag("Point", "SRID=4326;POINT Z (1 2)"), "v", "as many coordinates"},
		{"Point with more", tag("Point", "SRID=4326;POINT (1 2) x"), "v", "must be written as"},
		{"Point of NaN", tag("Point", "SRID=7203;POINT (NaN 2)"), "v", "finite"},
		{"latitude beyond the pole", tag("Point", "SRID=4326;POINT (1 90.5)"), "v", "latitude"},
		{"longitude Neo4j would change", tag("Point", "SRID=4326;POINT (181 1)"), "v", "longitude"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, f := ParseValue("v", c.text)
			if f == nil {
				t.Fatalf("%s: accepted as %#v", c.text, v)
			}
			if got := f.Details[0]; got.Field != c.field || !strings.Contains(got.Message, c.message) {
				t.Errorf("%s: got %s: %s", c.text, got.Field, got.Message)
			}
		})
	}
}

// TestTimesThatDoNotExist: a reason names the part that does not exist; the form is the reason only if the form is wrong.
func TestTimesThatDoNotExist(t *testing.T) {
	const noDay, day = "has a day that does not exist: ", "2024-05-01T"
	for text, want := range map[string]string{
		"2022-02-30": noDay + "2022-02 has no day 30", "2023-02-29": noDay + "2023-02 has no day 29",
		"2024-04-31":  noDay + "2024-04 has no day 31",
		"-0001-02-30": noDay + "-0001-02 has no day 30", "+12345-01-00": noDay + "+12345-01 has no day 00",
		"2022-13-01": "has the month 13: there are 01 to 12", "2022-00-01": "has the month 00: there are 01 to 12",
		"2022-2-30": dateForm, "12345-01-01": dateForm, "-0000-01-01": dateForm, "30.02.2022": dateForm, "": dateForm,
	} {
		v := func(tag, behind string) string { return `{"$type":"` + tag + `","_value":"` + text + behind + `"}` }
		for _, value := range []string{
			v("Date", ""), v("LocalDateTime", "T10:00"), v("OffsetDateTime", "T10:00Z"), v("ZonedDateTime", "T10:00+01:00[Europe/Berlin]"),
		} {
			requireReason(t, value, want)
		}
	}
	requireReason(t, `{"$type":"Date","_value":"2024-05-01T10:00"}`, dateForm)
	for text, want := range map[string]string{
		"25:00": "has the hour 25: there are 00 to 23", "24:00:00": "has the hour 24: there are 00 to 23",
		"10:60": "has the minute 60: there are 00 to 59", "10:00:60.5": "has the second 60: there are 00 to 59",
		"1:00": clockForm, "": clockForm, "10:00:00.": clockForm, "10:00:00.1234567890": clockForm,
	} {
		v := func(tag, before, after string) string {
			return `{"$type":"` + tag + `","_value":"` + before + text + after + `"}`
		}
		for _, value := range []string{
			v("LocalTime", "", ""), v("Time", "", "Z"), v("LocalDateTime", day, ""), v("OffsetDateTime", day, "Z"),
			v("ZonedDateTime", day, "Z[UTC]"),
		} {
			requireReason(t, value, want)
		}
	}
}

func requireReason(t *testing.T, value, want string) {
	t.Helper()
	_, f := ParseValue("x", value)
	if f == nil || f.Details[0].Message != want {
		t.Errorf("%s: %v, want %s", value, f, want)
	}
}
