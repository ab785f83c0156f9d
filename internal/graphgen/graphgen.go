// Package graphgen generates unusual but valid input for property-based tests: everything that Neo4j can store and that the service must
// preserve exactly. Only tests import it.
package graphgen

import (
	"math"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"graphrest/internal/graph"
)

// MaxElements bounds the size of generated lists and maps, so that tests stay fast.
const MaxElements = 6

// Properties generates a map of storable values.
func Properties() *rapid.Generator[graph.Properties] {
	return rapid.Custom(func(t *rapid.T) graph.Properties {
		p := graph.Properties{}
		for range rapid.IntRange(0, MaxElements).Draw(t, "properties") {
			p[Key().Draw(t, "key")] = Value().Draw(t, "value")
		}
		return p
	})
}

// Value generates a storable value of any kind, never nil.
func Value() *rapid.Generator[graph.Value] {
	return rapid.OneOf(Scalar(), boxed(Bytes()), List())
}

// Scalar generates a value that may be an element of a list.
func Scalar() *rapid.Generator[graph.Value] {
	return rapid.OneOf(scalars()...)
}

// List generates a list of values of one kind; its points have one coordinate system.
func List() *rapid.Generator[graph.Value] {
	return rapid.Custom(func(t *rapid.T) graph.Value {
		kinds := scalars()
		element := kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")]
		return rapid.SliceOfN(element, 0, MaxElements).Draw(t, "elements")
	})
}

// scalars returns one generator for each kind that a list can contain, and for points one for each coordinate system.
func scalars() []*rapid.Generator[graph.Value] {
	all := []*rapid.Generator[graph.Value]{
		boxed(rapid.Bool()), boxed(Integer()), boxed(Float()), boxed(Text()), boxed(Date()), boxed(LocalTime()),
		boxed(OffsetTime()), boxed(LocalDateTime()), boxed(DateTime()), boxed(Duration()),
	}
	for _, srid := range []int{graph.SRIDWGS84, graph.SRIDWGS84_3D, graph.SRIDCartesian, graph.SRIDCartesian3D} {
		all = append(all, boxed(Point(srid)))
	}
	return all
}

func boxed[T any](g *rapid.Generator[T]) *rapid.Generator[graph.Value] {
	return rapid.Map(g, func(v T) graph.Value { return v })
}

// Integer generates integers and favours the limits of 64 bits, of 32 bits and of the integers that a float represents exactly.
func Integer() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{
		0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 + 1, -(1<<53 + 1), math.MaxInt32 + 1,
	}))
}

// Float generates every float, including NaN and the infinities.
func Float() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{
		0, math.Copysign(0, -1), 1, -1, 1e3, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, 1 << 53, 1e21, 1e-7,
		math.NaN(), math.Inf(1), math.Inf(-1),
	}))
}

// Text generates valid UTF-8 of any kind, including NUL.
func Text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom(nasty()), rapid.Just("\x00"), rapid.Just("a\x00b"), rapid.Just(""))
}

// Bytes generates a byte array.
func Bytes() *rapid.Generator[graph.Bytes] {
	return rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) graph.Bytes { return graph.Bytes(b) })
}

// Date generates a day, including the first and the last storable one.
func Date() *rapid.Generator[graph.Date] {
	days := rapid.OneOf(
		rapid.Int64Range(-800000, 800000), rapid.Int64Range(graph.MinDay, graph.MaxDay),
		rapid.SampledFrom([]int64{graph.MinDay, graph.MaxDay, 0, -719528, -719529, 2932896, 2932897}),
	)
	return rapid.Map(days, func(d int64) graph.Date { return graph.Date{Days: d} })
}

// LocalTime generates a time of day.
func LocalTime() *rapid.Generator[graph.LocalTime] {
	return rapid.Map(nanosOfDay(), func(n int64) graph.LocalTime { return graph.LocalTime{Nanos: n} })
}

// OffsetTime generates a time of day with an offset, which may contain seconds.
func OffsetTime() *rapid.Generator[graph.OffsetTime] {
	return rapid.Custom(func(t *rapid.T) graph.OffsetTime {
		return graph.OffsetTime{Nanos: nanosOfDay().Draw(t, "nanos"), Offset: offset().Draw(t, "offset")}
	})
}

// LocalDateTime generates a date and time, including the first and the last storable one.
func LocalDateTime() *rapid.Generator[graph.LocalDateTime] {
	return rapid.Custom(func(t *rapid.T) graph.LocalDateTime {
		return graph.LocalDateTime{Seconds: localSecond().Draw(t, "second"), Nanos: nanos().Draw(t, "nanos")}
	})
}

// DateTime generates an instant with an offset or with a named zone.
func DateTime() *rapid.Generator[graph.DateTime] {
	return rapid.Custom(func(t *rapid.T) graph.DateTime {
		d := graph.DateTime{Nanos: nanos().Draw(t, "nanos")}
		second := localSecond().Draw(t, "second")
		if rapid.Bool().Draw(t, "named") {
			d.Zone = rapid.SampledFrom(Zones()).Draw(t, "zone")
			d.Seconds = min(max(second, graph.MinSecond+86400), graph.MaxSecond-86400)
			return d
		}
		d.Offset = offset().Draw(t, "offset")
		d.Seconds = second - int64(d.Offset)
		return d
	})
}

// Zones returns named zones of every kind: with and without clock changes, east and west of Greenwich, with unusual offsets, and with
// dates that were skipped.
func Zones() []string {
	return []string{
		"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia",
		"Pacific/Kiritimati", "America/St_Johns", "Africa/Monrovia", "Etc/GMT+12", "Etc/GMT-14", "Africa/Casablanca",
		"Europe/Dublin", "Antarctica/Troll", "Asia/Pyongyang",
	}
}

// Duration generates four parts of any sign that Neo4j can store as one duration.
func Duration() *rapid.Generator[graph.Duration] {
	part := rapid.OneOf(rapid.Int64Range(-100000, 100000), rapid.Int64Range(-1e12, 1e12), rapid.Just(int64(0)))
	seconds := rapid.OneOf(part, rapid.Int64Range(-1<<61, 1<<61))
	whole := rapid.Custom(func(t *rapid.T) graph.Duration {
		return graph.Duration{
			Months: part.Draw(t, "months"), Days: part.Draw(t, "days"),
			Seconds: seconds.Draw(t, "seconds"), Nanos: nanos().Draw(t, "nanos"),
		}
	})
	return rapid.OneOf(whole, rapid.SampledFrom([]graph.Duration{
		{},
		{Seconds: -1, Nanos: 500000000},
		{Seconds: -3600, Nanos: 1},
		{Seconds: -3601, Nanos: 999999999},
		{Months: -1, Days: 1, Seconds: -1, Nanos: 1},
		{Seconds: math.MaxInt64, Nanos: 999999999},
		{Seconds: math.MinInt64},
		{Seconds: math.MinInt64, Nanos: 5},
		{Months: 3507324295523},
		{Days: 106751991167300},
		{Nanos: 1},
	}))
}

// Point generates a point of one coordinate system. Neo4j converts a longitude of -0.0 to 0.0, so -0.0 is left out.
func Point(srid int) *rapid.Generator[graph.Point] {
	return rapid.Custom(func(t *rapid.T) graph.Point {
		p := graph.Point{SRID: srid}
		coordinate := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
		if srid == graph.SRIDWGS84 || srid == graph.SRIDWGS84_3D {
			p.X = rapid.Float64Range(-180, 180).Draw(t, "x") + 0
			p.Y = rapid.Float64Range(-90, 90).Draw(t, "y")
		} else {
			p.X, p.Y = coordinate.Draw(t, "x"), coordinate.Draw(t, "y")
		}
		if p.Dimensions() == 3 {
			p.Z = coordinate.Draw(t, "z")
		}
		return p
	})
}

// Key generates a property key that the service accepts, including Cypher syntax.
func Key() *rapid.Generator[string] {
	key := rapid.OneOf(rapid.String(), rapid.SampledFrom(nasty()), rapid.StringMatching(`[a-z]{1,8}`))
	return key.Filter(func(s string) bool { return s != "" && len(s) <= 255 && !strings.Contains(s, "\x00") })
}

// TypeName generates a type name that the service accepts, including Cypher syntax.
func TypeName() *rapid.Generator[graph.TypeName] {
	name := rapid.OneOf(rapid.String(), rapid.SampledFrom(nasty()), rapid.StringMatching(`[A-Z][a-z]{1,8}`))
	good := name.Filter(func(s string) bool { _, f := graph.ParseTypeName("type", s); return f == nil })
	return rapid.Map(good, func(s string) graph.TypeName { return graph.TypeName(s) })
}

// nasty returns names that break programs which do not escape Cypher, JSON or HTML.
func nasty() []string {
	long := strings.Repeat("é", 127) + "x" // 255 bytes
	if len(long) != 255 || !utf8.ValidString(long) {
		panic("the long name must be 255 bytes of valid UTF-8")
	}
	return []string{
		"`", "``", "```", "a`b", "a`) DETACH DELETE n //", `\u0060`, "\\u0060) DETACH DELETE n //", `\`, `\\`, `a\`, `"`, "'", `\"`,
		" ", " a ", "a b", "a.b", "a:b", "$type", "_value", "$x", "{x}", "}", "/* */", "//", "a;b", "é", "e\u0301", "日本語",
		"😀", "\u2028", "\u200b", "\u202e", "\ufeff", "\ufffd", "<script>alert(1)</script>", "a|b", "a&b", "!a", "%", "%60",
		"id", "uuid", "type", "properties", "__proto__", "constructor", "NaN", "null", "true", "1", "-1", "0x10", "a[0]", long,
	}
}

func nanosOfDay() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(0, 86400*1e9-1), rapid.SampledFrom([]int64{0, 86400*1e9 - 1, 43200 * 1e9, 1e8}))
}

func nanos() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(0, 999999999), rapid.SampledFrom([]int{0, 0, 0, 1, 500000000, 999999999}))
}

func offset() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(-64800, 64800), rapid.SampledFrom([]int{0, 3600, -3600, 19800, 64800, -64800, 3630, -1}))
}

func localSecond() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64Range(-4e9, 8e9), rapid.Int64Range(graph.MinSecond, graph.MaxSecond),
		rapid.SampledFrom([]int64{graph.MinSecond, graph.MaxSecond, 0, -1}),
	)
}
