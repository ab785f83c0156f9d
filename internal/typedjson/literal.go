package typedjson

import (
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Literals reads the literals of filters: see graph.Literals. A literal without a type is
//
//	a number        if it reads as one in JSON
//	a boolean       true or false
//	a JSON value    if it begins with {, [ or a quotation mark: a typed value, a list, a string
//	a text          otherwise
//
// The names of types are those of the tags in lower case, and datetime, which is OffsetDateTime or ZonedDateTime.
type Literals struct{}

var _ graph.Literals = Literals{}

// literalTags maps the type names in filters to tags.
var literalTags = map[string]string{
	"base64": tagBase64, "boolean": tagBoolean, "date": tagDate, "duration": tagDuration, "float": tagFloat, "integer": tagInteger,
	"localdatetime": tagLocalDateTime, "localtime": tagLocalTime, "offsetdatetime": tagOffsetDateTime, "point": tagPoint,
	"string": tagString, "time": tagTime, "zoneddatetime": tagZonedDateTime,
}

const literalTypes = "string, integer, float, boolean, date, time, localtime, datetime, offsetdatetime, zoneddatetime, localdatetime, " +
	"duration, point, base64"

// One reads a single value.
func (Literals) One(field, typ, text string) (graph.Value, *fault.Error) {
	if typ != "" {
		return parseAs(field, typ, text)
	}
	switch n, _ := numberPrefix(text); {
	case text == "true":
		return true, nil
	case text == "false":
		return false, nil
	case text == "null":
		return nil, fault.Invalid(field, "null is no value: use [exists]=false, or [eq:string] for the text")
	case n > 0 && n == len(text):
		return ParseValue(field, text)
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["), strings.HasPrefix(text, `"`):
		return ParseValue(field, text)
	}
	return text, nil
}

// Many reads several values.
func (l Literals) Many(field, typ, text string) ([]graph.Value, *fault.Error) {
	if strings.HasPrefix(text, "[") {
		return parseJSONList(field, typ, text)
	}
	parts := strings.Split(text, ",")
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) {
		parts = []string{text} // a JSON value may contain commas
	}
	values := make([]graph.Value, len(parts))
	for i, part := range parts {
		if part == "" {
			return nil, fault.Invalid(field, "must be comma-separated values, or a JSON array, which may contain empty texts")
		}
		var f *fault.Error
		if values[i], f = l.One(field, typ, part); f != nil {
			return nil, f
		}
	}
	return values, nil
}

// parseJSONList parses a JSON array whose elements may have different types. A type given by the filter applies to strings.
func parseJSONList(field, typ, text string) ([]graph.Value, *fault.Error) {
	var d document
	if f := d.parse(field, text); f != nil {
		return nil, f
	}
	details := d.problems
	values := []graph.Value{}
	for n, i := range d.elements(0) {
		at := location{field: field, index: n}
		v, ok := d.value(i, at, &details)
		s, isText := v.(string)
		var f *fault.Error
		switch {
		case !ok:
			continue
		case v == nil:
			f = fault.Invalid(at.path(), "must not be null")
		case typ != "" && isText:
			v, f = parseAs(at.path(), typ, s)
		case typ != "":
			f = fault.Invalid(at.path(), "must be a string, which is read as %s", typ)
		default:
			f = graph.CheckValue(at.path(), v)
		}
		if f != nil {
			details = append(details, f.Details...)
		}
		values = append(values, v)
	}
	if len(values) == 0 && len(details) == 0 {
		return nil, fault.Invalid(field, "must have at least one value")
	}
	if len(details) > 0 {
		return nil, fault.New(fault.Validation, "Invalid input", details[:min(len(details), fault.MaxDetails)]...)
	}
	return values, nil
}

// parseAs parses a text as the given type.
func parseAs(field, typ, text string) (graph.Value, *fault.Error) {
	tag, known := literalTags[typ]
	switch {
	case typ == "datetime" && strings.HasSuffix(text, "]"):
		tag = tagZonedDateTime
	case typ == "datetime":
		tag = tagOffsetDateTime
	case !known:
		return nil, fault.Invalid(field, "must name one of the types %s", literalTypes)
	}
	if tag == tagBoolean && (text == "true" || text == "false") {
		return text == "true", nil
	}
	quoted := string(AppendString(nil, text))
	v, f := ParseValue(field, `{"$type":"`+tag+`","_value":`+quoted+`}`)
	return v, f
}
