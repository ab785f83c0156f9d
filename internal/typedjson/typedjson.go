// Package typedjson turns graph values into JSON and back without losing anything. What JSON lacks is a tagged object
// in the vocabulary of Neo4j's typed JSON (Neo4j Query API manual, "Typed JSON"):
//
//	{"$type":"Date","_value":"2024-05-01"}
//
// Since maps are no property values, no user data can look like a tag. The parser is strict: it refuses what another
// reader of the same text might understand differently.
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
