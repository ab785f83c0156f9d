// Package typedjson encodes graph values as JSON and decodes them without loss. A type that JSON lacks is a tagged object in
// the format of Neo4j's typed JSON (Neo4j Query API manual, "Typed JSON"):
//
//	{"$type":"Date","_value":"2024-05-01"}
//
// Since property values cannot be maps, user data cannot be mistaken for a tag. The parser is strict: it rejects text that
// another parser might interpret differently.
package typedjson

import "graphrest/internal/graph"

// Members of a tagged object.
const (
	typeMember  = "$type"
	valueMember = "_value"
)

// Tags.
const (
	tagBase64         = "Base64"
	tagBoolean        = "Boolean"
	tagDate           = "Date"
	tagDuration       = "Duration"
	tagFloat          = "Float"
	tagInteger        = "Integer"
	tagLocalDateTime  = "LocalDateTime"
	tagLocalTime      = "LocalTime"
	tagOffsetDateTime = "OffsetDateTime"
	tagPoint          = "Point"
	tagString         = "String"
	tagTime           = "Time"
	tagZonedDateTime  = "ZonedDateTime"
)

// TypeName is the name of a value's type in the schema and in neo4jType; it is empty for null and for a list, whose name depends on its
// elements.
func TypeName(v graph.Value) string {
	switch v := v.(type) {
	case bool:
		return tagBoolean
	case int64:
		return tagInteger
	case float64:
		return tagFloat
	case string:
		return tagString
	case graph.Bytes:
		return tagBase64
	case graph.Date:
		return tagDate
	case graph.LocalTime:
		return tagLocalTime
	case graph.OffsetTime:
		return tagTime
	case graph.LocalDateTime:
		return tagLocalDateTime
	case graph.DateTime:
		if v.Zone == "" {
			return tagOffsetDateTime
		}
		return tagZonedDateTime
	case graph.Duration:
		return tagDuration
	case graph.Point:
		return tagPoint
	case nil, []graph.Value:
		return ""
	}
	return "Unsupported"
}
