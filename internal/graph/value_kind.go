package graph

import "unicode/utf8"

// valueKind is the type of a value as Neo4j distinguishes it in lists: a list contains values of one kind only.
type valueKind uint8

const (
	kindNone valueKind = iota
	kindBool
	kindInteger
	kindFloat
	kindString
	kindBytes
	kindDate
	kindLocalTime
	kindOffsetTime
	kindLocalDateTime
	kindDateTime
	kindDuration
	kindPoint
	kindList
)

// The first and last day, and second, of the years -999999999 to 999999999, counted from 1970-01-01.
const (
	MinDay    = -365243219162
	MaxDay    = 365241780471
	MinSecond = MinDay * 86400
	MaxSecond = MaxDay*86400 + 86399
)

const (
	nanosPerDay    = 86400 * 1e9
	nanosPerSecond = 1e9
	maxOffset      = 18 * 3600 // java.time.ZoneOffset
)

// secondsPerMonth is the average length of a month, with which Neo4j decides whether a duration can be stored
// (org.neo4j.values.storable.DurationValue).
const secondsPerMonth = 2629746

func kindOf(v Value) valueKind {
	switch v.(type) {
	case bool:
		return kindBool
	case int64:
		return kindInteger
	case float64:
		return kindFloat
	case string:
		return kindString
	case Bytes:
		return kindBytes
	case Date:
		return kindDate
	case LocalTime:
		return kindLocalTime
	case OffsetTime:
		return kindOffsetTime
	case LocalDateTime:
		return kindLocalDateTime
	case DateTime:
		return kindDateTime
	case Duration:
		return kindDuration
	case Point:
		return kindPoint
	case []Value:
		return kindList
	}
	return kindNone
}

// valueProblem returns the problem with a value, empty for none.
func valueProblem(v Value) string {
	if list, ok := v.([]Value); ok {
		return listProblem(list)
	}
	return scalarProblem(v)
}

func listProblem(list []Value) string {
	if len(list) == 0 {
		return ""
	}
	first, srid := kindOf(list[0]), 0
	if p, ok := list[0].(Point); ok {
		srid = p.SRID
	}
	for _, e := range list {
		k := kindOf(e)
		switch {
		case e == nil:
			return "a list must not contain null"
		case k == kindList:
			return "a list must not contain lists"
		case k == kindBytes:
			return "a list must not contain byte arrays"
		case k != first:
			return "a list must hold values of one type only (integers and floats are different types)"
		}
		if p, ok := e.(Point); ok && p.SRID != srid {
			return "the points of a list must have one coordinate system"
		}
		if reason := scalarProblem(e); reason != "" {
			return reason
		}
	}
	return ""
}

func scalarProblem(v Value) string {
	ok := true
	switch v := v.(type) {
	case bool, int64, float64, Bytes:
	case string:
		if !utf8.ValidString(v) {
			return "must be valid UTF-8"
		}
	case Date:
		ok = v.Days >= MinDay && v.Days <= MaxDay
	case LocalTime:
		ok = v.Nanos >= 0 && v.Nanos < nanosPerDay
	case OffsetTime:
		ok = v.Nanos >= 0 && v.Nanos < nanosPerDay && validOffset(v.Offset)
	case LocalDateTime:
		ok = validSecond(v.Seconds, 0) && validNanos(v.Nanos)
	case DateTime:
		ok = validNanos(v.Nanos) && validOffset(v.Offset) && validSecond(v.Seconds, v.Offset) && (v.Zone == "" || v.Offset == 0)
	case Duration:
		ok = validNanos(v.Nanos) && isStorable(v)
	case Point:
		return pointProblem(v)
	case nil:
		return "must not be null"
	default:
		return "must be a string, a boolean, a number, a typed value or a list of one of these"
	}
	if !ok {
		return "is out of the range that can be stored"
	}
	return ""
}

// pointProblem rejects what Neo4j rejects (org.neo4j.values.storable.PointValue), and longitudes that Neo4j would silently convert
// to others.
func pointProblem(p Point) string {
	switch {
	case p.Dimensions() == 0:
		return "a point's SRID must be 4326, 4979, 7203 or 9157"
	case !isFinite(p.X) || !isFinite(p.Y) || !isFinite(p.Z):
		return "a point's coordinates must be finite"
	case p.Dimensions() == 2 && p.Z != 0:
		return "a point of two dimensions has no third coordinate"
	case p.SRID != SRIDWGS84 && p.SRID != SRIDWGS84_3D:
		return ""
	case p.X < -180 || p.X > 180:
		return "a point's longitude must be between -180 and 180"
	case p.Y < -90 || p.Y > 90:
		return "a point's latitude must be between -90 and 90"
	}
	return ""
}

func isFinite(f float64) bool { return f-f == 0 }

// isStorable is Neo4j's own check of a duration: its average length in seconds, summed in this order, must fit into 64 bits.
func isStorable(d Duration) bool {
	months, ok1 := multiply(d.Months, secondsPerMonth)
	days, ok2 := multiply(d.Days, 86400)
	sum, ok3 := add(months, days)
	_, ok4 := add(sum, d.Seconds)
	return ok1 && ok2 && ok3 && ok4
}

func multiply(a, b int64) (int64, bool) {
	p := a * b
	return p, p/b == a
}

func add(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func validNanos(n int) bool  { return n >= 0 && n < nanosPerSecond }
func validOffset(s int) bool { return s >= -maxOffset && s <= maxOffset }

func validSecond(s int64, offset int) bool {
	return s >= MinSecond-maxOffset && s <= MaxSecond+maxOffset && s+int64(offset) >= MinSecond && s+int64(offset) <= MaxSecond
}
