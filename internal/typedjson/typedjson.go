// Package typedjson encodes graph values as JSON and decodes them without loss. A type that JSON lacks is a tagged object in
// the format of Neo4j's typed JSON (Neo4j Query API manual, "Typed JSON"):
//
//	{"$type":"Date","_value":"2024-05-01"}
//
// Since property values cannot be maps, user data cannot be mistaken for a tag. The parser is strict: it rejects text that
// another parser might interpret differently.
package typedjson

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
