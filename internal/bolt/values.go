package bolt

import (
	"strconv"
	"time"
	_ "time/tzdata" // zones must not depend on the machine

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"graphrest/internal/graph"
)

// secondsOfDay is the length of a day without leap seconds, which Neo4j does not know.
const secondsOfDay = 86400

// OffsetZone is the zone name by which the driver distinguishes an offset from a named zone, in both directions.
const OffsetZone = "Offset"

// FromDriver converts a property value of the driver to a graph.Value. Lists are changed in place. The driver creates LocalDateTime in
// time.Local, where some local times do not exist (when clocks go forward) and would be shifted: every process that uses this package sets
// time.Local to time.UTC before it reads the first record.
func FromDriver(v any) graph.Value {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v
	case []any:
		for i := range v {
			v[i] = FromDriver(v[i])
		}
		return v
	case []byte:
		return graph.Bytes(v)
	case time.Time:
		return fromTime(v)
	case dbtype.Date:
		return graph.Date{Days: time.Time(v).Unix() / secondsOfDay}
	case dbtype.LocalDateTime:
		t := time.Time(v)
		return graph.LocalDateTime{Seconds: t.Unix(), Nanos: t.Nanosecond()}
	case dbtype.LocalTime:
		return graph.LocalTime{Nanos: sinceMidnight(time.Time(v))}
	case dbtype.Time:
		_, offset := time.Time(v).Zone()
		return graph.OffsetTime{Nanos: sinceMidnight(time.Time(v)), Offset: offset}
	case dbtype.Duration:
		return graph.Duration{Months: v.Months, Days: v.Days, Seconds: v.Seconds, Nanos: v.Nanos}
	case dbtype.Point2D:
		return graph.Point{SRID: int(v.SpatialRefId), X: v.X, Y: v.Y}
	case dbtype.Point3D:
		return graph.Point{SRID: int(v.SpatialRefId), X: v.X, Y: v.Y, Z: v.Z}
	default:
		return v // a zone that Go does not know, or a type of a newer server: see IsUnsupported
	}
}

func fromTime(t time.Time) graph.DateTime {
	d := graph.DateTime{Seconds: t.Unix(), Nanos: t.Nanosecond()}
	if name, offset := t.Zone(); name == OffsetZone {
		d.Offset = offset
		return d
	}
	d.Zone = t.Location().String()
	return d
}

func sinceMidnight(t time.Time) int64 {
	return int64(t.Hour())*int64(time.Hour) + int64(t.Minute())*int64(time.Minute) +
		int64(t.Second())*int64(time.Second) + int64(t.Nanosecond())
}

// IsUnsupported reports whether a value, or an element of a list, is one that the driver could not decode.
func IsUnsupported(v graph.Value) bool {
	switch v := v.(type) {
	case nil, bool, int64, float64, string, graph.Bytes, graph.Date, graph.LocalTime, graph.OffsetTime,
		graph.LocalDateTime, graph.DateTime, graph.Duration, graph.Point:
		return false
	case []any:
		for _, e := range v {
			if IsUnsupported(e) {
				return true
			}
		}
		return false
	default:
		return true
	}
}

// ToDriver converts a graph.Value to a value of the driver. Plain values and lists of them are sent unchanged.
func ToDriver(v graph.Value) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 || isPlain(v[0]) {
			return v
		}
		list := make([]any, len(v))
		for i := range v {
			list[i] = ToDriver(v[i])
		}
		return list
	case graph.Bytes:
		return []byte(v)
	case graph.Date:
		return dbtype.Date(time.Unix(v.Days*secondsOfDay, 0).UTC())
	case graph.LocalTime:
		return dbtype.LocalTime(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(v.Nanos)))
	case graph.OffsetTime:
		midnight := time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone(OffsetZone, v.Offset))
		return dbtype.Time(midnight.Add(time.Duration(v.Nanos)))
	case graph.LocalDateTime:
		return dbtype.LocalDateTime(time.Unix(v.Seconds, int64(v.Nanos)).UTC())
	case graph.DateTime:
		return toTime(v)
	case graph.Duration:
		return dbtype.Duration{Months: v.Months, Days: v.Days, Seconds: v.Seconds, Nanos: v.Nanos}
	case graph.Point:
		if v.Dimensions() == 3 {
			return dbtype.Point3D{SpatialRefId: uint32(v.SRID), X: v.X, Y: v.Y, Z: v.Z}
		}
		return dbtype.Point2D{SpatialRefId: uint32(v.SRID), X: v.X, Y: v.Y}
	default:
		return v
	}
}

func isPlain(v any) bool {
	switch v.(type) {
	case bool, int64, float64, string:
		return true
	default:
		return false
	}
}

func toTime(v graph.DateTime) time.Time {
	t := time.Unix(v.Seconds, int64(v.Nanos))
	if v.Zone == "" {
		return t.In(time.FixedZone(OffsetZone, v.Offset))
	}
	zone, err := time.LoadLocation(v.Zone)
	if err != nil {
		zone = time.FixedZone(v.Zone, 0) // sent by name; only the name and the instant are transferred
	}
	return t.In(zone)
}

// Parameters converts properties to parameters of the driver. It copies the map only if a value must be converted.
func Parameters(p graph.Properties) map[string]any {
	for _, v := range p {
		if needsConversion(v) {
			out := make(map[string]any, len(p))
			for key, value := range p {
				out[key] = ToDriver(value)
			}
			return out
		}
	}
	return p
}

func needsConversion(v graph.Value) bool {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return false
	case []any:
		return len(v) > 0 && !isPlain(v[0])
	default:
		return true
	}
}

// VersionsOf are the versions that a precondition allows of what is stored with a version, as a parameter; nil for every one.
func VersionsOf(when graph.Precondition) any {
	if !when.Present() || when.Any {
		return nil
	}
	versions := []int64{}
	for _, r := range when.Revisions {
		if v, err := strconv.ParseInt(string(r), 10, 64); err == nil && strconv.FormatInt(v, 10) == string(r) {
			versions = append(versions, v)
		}
	}
	return versions
}
