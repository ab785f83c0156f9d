package neo4jtest

import (
	"fmt"
	"math"
	"strings"
	"time"
	_ "time/tzdata" // zoned values must not depend on the machine's own time zone data

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
)

// foreignKeys are property keys that Neo4j takes and that programs trip over.
var foreignKeys = []string{
	"first name", "back`tick", `quo"te`, "it's", "naïve", "ключ", "数据", "a.b", "a[b]", "$dollar", "$type", "_value",
	"type", "id", "labels", "properties", "__proto__", "🎬", `\u0060`, " leading", "123", "a,b", "-minus", "Name",
}

func foreignNodeProperties(i int, values []any) map[string]any {
	if i%50 == 49 {
		return map[string]any{} // a node that holds nothing
	}
	properties := map[string]any{
		"name":  fmt.Sprintf("Name %05d", i),
		"born":  int64(1900 + i%120),
		"value": values[i%len(values)],
	}
	if i%3 == 0 {
		properties["rating"] = float64(i%100) / 10 // 0.0, 1.0 and so on among them: floats that look like integers
	}
	if i%4 == 0 {
		properties[foreignKeys[i/4%len(foreignKeys)]] = values[(i/4*7)%len(values)]
	}
	switch i % 40 {
	case 5:
		properties["uuid"] = fmt.Sprintf("not-ours-%d", i%80) // not unique, and in no managed type
	case 25:
		properties["uuid"] = int64(i)
	}
	return properties
}

func foreignEdgeProperties(i int, values []any) map[string]any {
	if i%2 == 1 {
		return map[string]any{}
	}
	properties := map[string]any{"since": int64(1990 + i%30), "value": values[i/2%len(values)]}
	if i%6 == 0 {
		properties[foreignKeys[i/6%len(foreignKeys)]] = values[(i/6*11)%len(values)]
	}
	return properties
}

// foreignValues are values of every kind that Neo4j stores, with the extremes of each.
func foreignValues() []any {
	var values []any
	for _, kind := range [][]any{foreignScalars(), foreignTemporals(), foreignPoints()} {
		values = append(values, kind...)
	}
	return append(values, foreignArrays()...)
}

func foreignScalars() []any {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	return []any{
		true, false,
		int64(0), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), int64(1<<53 + 1), int64(-(1<<53 + 1)),
		0.0, math.Copysign(0, -1), 1.0, 1e3, 0.1, -2.5, 1e21, 1e-7, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.NaN(), math.Inf(1), math.Inf(-1),
		"", " ", "plain", "line\nbreak\ttab\r", "nul\x00inside", `"quoted" \ back\\slash`, "</script>&<>\u2028\u2029",
		"naïve 数据 🎬", "e\u0301 is not \u00e9", "\ufeffmark", "0", "true", "null", "2024-05-01", strings.Repeat("long ", 400),
		[]byte{},
		[]byte{0},
		every,
	}
}

func foreignTemporals() []any {
	east := time.FixedZone("Offset", 5*3600+45*60)
	west := time.FixedZone("Offset", -(11*3600 + 30*60))
	odd := time.FixedZone("Offset", 3600+17) // an offset with seconds
	var values []any
	for _, day := range foreignDays() {
		values = append(values, dbtype.Date(day), dbtype.LocalDateTime(day.Add(13*time.Hour+14*time.Minute+15*time.Second+123_456_789)))
	}
	for _, zone := range []*time.Location{time.FixedZone("Offset", 0), east, west, odd} {
		values = append(values,
			dbtype.Time(time.Date(0, 1, 1, 23, 59, 59, 999_999_999, zone)), dbtype.Time(time.Date(0, 1, 1, 0, 0, 0, 0, zone)),
			time.Date(2024, 2, 29, 23, 59, 59, 1, zone), time.Date(1, 1, 1, 0, 0, 0, 0, zone))
	}
	for _, name := range []string{"UTC", "Europe/Stockholm", "America/St_Johns", "Asia/Kathmandu"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic("neo4jtest: time zone data: " + err.Error()) // it is built in
		}
		// Both half past twos of the night when Stockholm's clocks go back, and times before and after.
		fold := time.Date(2024, 10, 27, 0, 30, 0, 0, time.UTC)
		values = append(values, fold.In(zone), fold.Add(time.Hour).In(zone),
			time.Date(1931, 7, 1, 12, 0, 0, 500_000_000, zone), time.Date(2999, 12, 31, 23, 59, 59, 0, zone))
	}
	values = append(values,
		dbtype.LocalTime(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), dbtype.LocalTime(time.Date(0, 1, 1, 12, 0, 0, 1000, time.UTC)),
		dbtype.LocalTime(time.Date(0, 1, 1, 23, 59, 59, 999_999_999, time.UTC)))
	return append(values, foreignDurations()...)
}

// foreignDays reach from the first to the last year that Neo4j knows.
func foreignDays() []time.Time {
	return []time.Time{
		time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
		time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC),
		time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC),
		time.Date(12_345, 6, 7, 0, 0, 0, 0, time.UTC),
		time.Date(-999_999_999, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(999_999_999, 12, 31, 0, 0, 0, 0, time.UTC),
	}
}

func foreignDurations() []any {
	return []any{
		dbtype.Duration{},
		dbtype.Duration{Months: 14, Days: 3, Seconds: 3661, Nanos: 5},
		dbtype.Duration{Months: -14, Days: -3, Seconds: -3661},
		dbtype.Duration{Months: 1, Days: -1},
		dbtype.Duration{Seconds: -1, Nanos: 500_000_000}, // half a second less than nothing
		dbtype.Duration{Nanos: 1},
		dbtype.Duration{Days: 400},
		dbtype.Duration{Seconds: 1 << 40, Nanos: 999_999_999},
	}
}

// foreignPoints are of all four coordinate systems: WGS-84 and Cartesian, each in two and three dimensions.
func foreignPoints() []any {
	return []any{
		dbtype.Point2D{SpatialRefId: 4326, X: 18.0686, Y: 59.3293},
		dbtype.Point2D{SpatialRefId: 4326, X: -180, Y: -90},
		dbtype.Point3D{SpatialRefId: 4979, X: 18.0686, Y: 59.3293, Z: -12.5},
		dbtype.Point2D{SpatialRefId: 7203, X: 1, Y: -1e300},
		dbtype.Point2D{SpatialRefId: 7203, X: math.Copysign(0, -1), Y: 0.1},
		dbtype.Point3D{SpatialRefId: 9157, X: 1, Y: 2, Z: 3},
	}
}

func foreignArrays() []any {
	day := time.Date(2024, 5, 1, 13, 14, 15, 16, time.UTC)
	stockholm, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		panic("neo4jtest: time zone data: " + err.Error()) // it is built in
	}
	return []any{
		[]any{},
		[]any{true, false, true},
		[]any{int64(math.MinInt64), int64(0), int64(math.MaxInt64)},
		[]any{int64(1)},
		[]any{1.0, 2.5, math.NaN(), math.Inf(-1)},
		[]any{0.0},
		[]any{"", "a", "a,b", `"`, "数据 🎬"},
		[]any{"one"},
		[]any{dbtype.Date(day), dbtype.Date(day.AddDate(-3000, 0, 0))},
		[]any{dbtype.LocalTime(day), dbtype.LocalTime(day.Add(time.Hour))},
		[]any{dbtype.Time(day.In(time.FixedZone("Offset", 3600))), dbtype.Time(day.In(time.FixedZone("Offset", -3600)))},
		[]any{dbtype.LocalDateTime(day), dbtype.LocalDateTime(day.Add(time.Hour))},
		[]any{day.In(time.FixedZone("Offset", 3600)), day.In(stockholm)},
		[]any{dbtype.Duration{Days: -1}, dbtype.Duration{Months: 1}},
		[]any{neo4j.Point2D{SpatialRefId: 4326, X: 1, Y: 2}, neo4j.Point2D{SpatialRefId: 4326, X: 3, Y: 4}},
		[]any{neo4j.Point3D{SpatialRefId: 9157, X: 1, Y: 2, Z: 3}},
	}
}
