package openapi

import "github.com/getkin/kin-openapi/openapi3"

// tags are the types of Neo4j's typed JSON.
var tags = []struct{ name, description, example string }{
	{"Date", "A date.", "2024-05-01"},
	{"Time", "A time of day with an offset.", "12:30:00+02:00"},
	{"LocalTime", "A time of day.", "12:30:00"},
	{"OffsetDateTime", "A date and time with an offset.", "2024-05-01T12:30:00+02:00"},
	{"ZonedDateTime", "A date and time in a time zone.", "2024-05-01T12:30:00+02:00[Europe/Berlin]"},
	{"LocalDateTime", "A date and time.", "2024-05-01T12:30:00"},
	{"Duration", "A duration of months, days and seconds.", "P1Y2M3DT4H5M6S"},
	{"Point", "A point; SRID 4326 (WGS 84) and 7203 (Cartesian) have two coordinates, 4979 and 9157 three.", "SRID=4326;POINT (13.4 52.5)"},
	{"Base64", "Bytes, in the standard alphabet with padding.", "aGVsbG8="},
	{"Float", "A float; the only form of NaN and the infinities.", "NaN"},
	{"Integer", "An integer. Accepted in requests; responses contain plain numbers.", "42"},
	{"String", "A string. Accepted in requests; responses contain plain strings.", "hello"},
	{"Boolean", "A boolean. Accepted in requests; responses contain plain booleans.", ""},
}

// typedValue returns the schema of {"$type": ..., "_value": ...}.
func typedValue() *openapi3.SchemaRef {
	all := openapi3.NewSchema()
	all.Description = "A value of a type that JSON lacks."
	all.Example = map[string]any{"$type": tags[0].name, "_value": tags[0].example}
	for _, tag := range tags {
		value := openapi3.NewStringSchema()
		value.Example = tag.example
		switch tag.name {
		case "Boolean":
			value = openapi3.NewBoolSchema()
			value.Example = true
		case "Integer", "Float":
			value = openapi3.NewAnyOfSchema(openapi3.NewStringSchema(), openapi3.NewFloat64Schema())
			value.AnyOf[1].Value.Format = ""
			value.Example = tag.example
		}
		one := openapi3.NewObjectSchema().
			WithProperty("$type", openapi3.NewStringSchema().WithEnum(tag.name)).
			WithProperty("_value", value).
			WithoutAdditionalProperties()
		one.Title, one.Description, one.Required = tag.name, tag.description, []string{"$type", "_value"}
		all.OneOf = append(all.OneOf, one.NewRef())
	}
	return all.NewRef()
}
