package graph

import "time"

// Value is a property value. It is one of a closed set of Go types, which CheckValue enforces:
//
//	nil                       absent (in a change: remove)
//	bool, int64, float64, string
//	Bytes                     BYTE ARRAY
//	Date, LocalTime, OffsetTime, LocalDateTime, DateTime, Duration   temporal values
//	Point                     POINT in one of four coordinate systems
//	[]Value                   LIST of values of one of the kinds above, without nil, Bytes or lists
//
// It is an alias of any, so that maps from the database driver can be used as Properties without a copy.
type Value = any

// Bytes is a BYTE ARRAY. It cannot be an element of a list.
type Bytes []byte

// Date is a calendar day without a zone: days since 1970-01-01. Neo4j stores the years -999999999 to 999999999.
type Date struct{ Days int64 }

// LocalTime is a time of day without a zone: nanoseconds since midnight, 0 to 86399999999999.
type LocalTime struct{ Nanos int64 }

// OffsetTime is a time of day with an offset from UTC (Neo4j ZONED TIME): nanoseconds since local midnight, and the
// offset in seconds, -64800 to 64800.
type OffsetTime struct {
	Nanos  int64
	Offset int
}

// LocalDateTime is a date and time without a zone: Seconds since 1970-01-01T00:00 on the local clock, and Nanos,
// 0 to 999999999.
type LocalDateTime struct {
	Seconds int64
	Nanos   int
}

// DateTime is an instant with a zone (Neo4j ZONED DATETIME): Seconds since the Unix epoch in UTC, Nanos 0 to 999999999,
// and either a named Zone (IANA) or, when Zone is empty, an Offset in seconds. The two are different values to Neo4j.
type DateTime struct {
	Seconds int64
	Nanos   int
	Offset  int    // seconds east of UTC; used only when Zone is empty
	Zone    string // "Europe/Berlin"; empty for an offset
}

// Duration is Neo4j's duration of four parts. Parts may have different signs; Nanos is 0 to 999999999 and always counts upwards, so minus
// half a second is Seconds -1, Nanos 500000000.
type Duration struct {
	Months  int64
	Days    int64
	Seconds int64
	Nanos   int
}

// Point is a position in one of Neo4j's four coordinate systems. Only the three-dimensional ones use Z.
type Point struct {
	SRID    int
	X, Y, Z float64
}

// The coordinate systems of the Neo4j manual, "Spatial values".
const (
	SRIDWGS84       = 4326
	SRIDWGS84_3D    = 4979
	SRIDCartesian   = 7203
	SRIDCartesian3D = 9157
)

// Dimensions returns 2 or 3 for a known coordinate system, 0 otherwise.
func (p Point) Dimensions() int {
	switch p.SRID {
	case SRIDWGS84, SRIDCartesian:
		return 2
	case SRIDWGS84_3D, SRIDCartesian3D:
		return 3
	default:
		return 0
	}
}

// DateOf returns the calendar day of a time in the time's location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Days: time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400}
}
