package typedjson

import (
	"encoding/base64"
	"strconv"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// DecodeProperties decodes the text of one JSON object into the properties of a request: null is nil, and every value has a
// supported type and is in range. The caller checks size limits (graph.CheckProperties). Faults name "<field>.<key>", or
// "<field>.<key>[<index>]" for one element of a list.
func DecodeProperties(field string, raw []byte) (graph.Properties, []*fault.Error) {
	var d document
	if f := d.parse(field, string(raw)); f != nil {
		return nil, []*fault.Error{f}
	}
	if d.tokens[0].kind != tokenObject {
		return nil, []*fault.Error{fault.Invalid(field, "must be an object")}
	}
	details := d.problems
	p := d.decodeProperties(field, 0, &details)
	_, faults := graph.CheckProperties(field, p, graph.DefaultLimits, true)
	for _, detail := range details {
		faults = append(faults, fault.New(fault.Validation, "Invalid input", detail))
	}
	return p, faults[:min(len(faults), fault.MaxDetails)]
}

// ParseValue decodes the text of one JSON value, tagged or plain, and checks its range. The fault names the field, with the
// index of an invalid list element. null returns nil.
func ParseValue(field, text string) (graph.Value, *fault.Error) {
	var d document
	if f := d.parse(field, text); f != nil {
		return nil, f
	}
	details := d.problems
	v, ok := d.value(0, location{field: field, index: -1}, &details)
	if ok && v != nil {
		if f := graph.CheckValue(field, v); f != nil {
			details = append(details, f.Details...)
		}
	}
	if len(details) > 0 {
		return nil, fault.New(fault.Validation, "Invalid input", details[:min(len(details), fault.MaxDetails)]...)
	}
	return v, nil
}

// location is the location of a value. Its path is built only to report a problem.
type location struct {
	field string
	key   string
	keyed bool
	index int // of a list element; -1 for none
}

func (s location) path() string {
	path := s.field
	if s.keyed {
		path = graph.FieldPath(path, s.key)
	}
	if s.index >= 0 {
		path = elementPath(path, s.index)
	}
	return path
}

// decodeProperties decodes an object's members. An invalid member is reported and left out.
func (d *document) decodeProperties(field string, object int, faults *[]fault.Detail) graph.Properties {
	p := make(graph.Properties, d.tokens[object].end)
	for key, i := range d.members(object) {
		if v, ok := d.value(i, location{field: field, key: key, keyed: true, index: -1}, faults); ok {
			p[strings.Clone(key)] = v // a retained key must not keep the whole body in memory
		}
	}
	return p
}

// value decodes a property value. On a problem ok is false; the problem is reported unless there are fault.MaxDetails already.
func (d *document) value(i int, at location, faults *[]fault.Detail) (v graph.Value, ok bool) {
	var reason string
	switch t := d.tokens[i]; t.kind {
	case tokenNull:
		return nil, true
	case tokenTrue:
		return true, true
	case tokenFalse:
		return false, true
	case tokenString:
		return d.text(i), true
	case tokenNumber:
		v, reason = d.number(i)
	case tokenArray:
		return d.list(i, at, faults)
	case tokenObject:
		return d.typedValue(i, at, faults)
	}
	if reason != "" {
		addDetail(faults, at.path(), reason)
	}
	return v, reason == ""
}

func (d *document) list(array int, at location, faults *[]fault.Detail) (graph.Value, bool) {
	list := make([]graph.Value, 0, d.tokens[array].end)
	good := true
	for n, i := range d.elements(array) {
		at.index = n
		switch d.tokens[i].kind {
		case tokenNull:
			addDetail(faults, at.path(), "a list must not contain null")
			good = false
			continue
		case tokenArray:
			addDetail(faults, at.path(), "a list must not contain lists")
			good = false
			continue
		}
		v, ok := d.value(i, at, faults)
		list = append(list, v)
		good = good && ok
	}
	return list, good
}

const tagNames = "Date, Time, LocalTime, OffsetDateTime, ZonedDateTime, LocalDateTime, Duration, Point, Base64, Float, " +
	"Integer, String, Boolean"

// typedValue decodes {"$type":..,"_value":..}, in either order.
func (d *document) typedValue(object int, at location, faults *[]fault.Detail) (graph.Value, bool) {
	tag, value, good := -1, -1, true
	for key, i := range d.members(object) {
		switch key {
		case typeMember:
			tag = i
		case valueMember:
			value = i
		}
	}
	if tag < 0 {
		addDetail(faults, at.path(), `must not be an object, except a typed value such as {"$type":"Date","_value":"2024-05-01"}`)
		return nil, false
	}
	for key := range d.members(object) {
		if key != typeMember && key != valueMember {
			addDetail(faults, graph.FieldPath(at.path(), key), "is not a member of a typed value, which has $type and _value only")
			good = false
		}
	}
	switch {
	case d.tokens[tag].kind != tokenString:
		addDetail(faults, at.path(), "$type must be a string: one of "+tagNames)
		return nil, false
	case value < 0:
		addDetail(faults, at.path(), "a typed value must have a _value")
		return nil, false
	}
	v, reason := d.decodeTagged(d.text(tag), value)
	if reason != "" {
		addDetail(faults, at.path(), reason)
		return nil, false
	}
	return v, good
}

// decodeTagged decodes the value of a tag. A non-empty reason says why it is invalid.
func (d *document) decodeTagged(tag string, i int) (graph.Value, string) {
	kind := d.tokens[i].kind
	switch {
	case tag == tagBoolean && kind == tokenTrue:
		return true, ""
	case tag == tagBoolean && kind == tokenFalse:
		return false, ""
	case tag == tagBoolean:
		return nil, "a Boolean must be true or false"
	case kind == tokenNumber && (tag == tagInteger || tag == tagFloat): // as Neo4j does
	case kind != tokenString:
		return nil, "the _value of a typed value must be a string"
	}
	text := d.text(i)
	switch tag {
	case tagString:
		return text, ""
	case tagInteger:
		if n, float := numberPrefix(text); n == 0 || n != len(text) || float {
			return nil, `an Integer must be written in decimal digits, such as "42"`
		}
		return parseNumber(text)
	case tagFloat:
		return parseFloatTag(text)
	case tagBase64:
		return parseBase64(text)
	case tagPoint:
		return parsePoint(text)
	case tagDate:
		return parseDate(text)
	case tagTime:
		return parseTime(text)
	case tagLocalTime:
		return parseLocalTime(text)
	case tagLocalDateTime:
		return parseLocalDateTime(text)
	case tagOffsetDateTime:
		return parseOffsetDateTime(text)
	case tagZonedDateTime:
		return parseZonedDateTime(text)
	case tagDuration:
		return parseDuration(text)
	}
	return nil, "$type must be one of " + tagNames
}

func addDetail(faults *[]fault.Detail, path, message string) {
	if len(*faults) < fault.MaxDetails {
		*faults = append(*faults, fault.Detail{Field: path, Message: message})
	}
}

// number decodes a number token: an integer unless it has a fraction or an exponent.
func (d *document) number(i int) (graph.Value, string) {
	t := d.tokens[i]
	return parseNumber(d.src[t.start:t.end])
}

func parseBase64(text string) (graph.Value, string) {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return nil, "Base64 must be in the standard alphabet with padding (RFC 4648, section 4)"
	}
	return graph.Bytes(b), ""
}

const pointForm = `a Point must be written as "SRID=4326;POINT (x y)" or "SRID=4979;POINT Z (x y z)"`

// parsePoint parses well-known text with an SRID and as many coordinates as the coordinate system has.
func parsePoint(text string) (graph.Value, string) {
	head, rest, ok := strings.Cut(text, ";")
	number, isSRID := strings.CutPrefix(head, "SRID=")
	srid, err := strconv.ParseUint(number, 10, 16)
	if !ok || !isSRID || err != nil {
		return nil, pointForm
	}
	p := graph.Point{SRID: int(srid)}
	if p.Dimensions() == 0 {
		return nil, "a Point's SRID must be 4326, 4979, 7203 or 9157"
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "POINT")
	if !ok {
		return nil, pointForm
	}
	rest, z := strings.CutPrefix(strings.TrimLeft(rest, " "), "Z")
	rest, opened := strings.CutPrefix(strings.TrimLeft(rest, " "), "(")
	rest, closed := strings.CutSuffix(rest, ")")
	if !opened || !closed {
		return nil, pointForm
	}
	var xyz [3]float64
	n := 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == ' ' }) {
		if n == 3 {
			return nil, pointForm
		}
		f, reason := parseFloatText(part)
		if reason != "" {
			return nil, pointForm
		}
		xyz[n] = f
		n++
	}
	if n != p.Dimensions() || z && n == 2 {
		return nil, "a Point must have as many coordinates as its coordinate system: two for 4326 and 7203, three for 4979 and 9157"
	}
	p.X, p.Y, p.Z = xyz[0], xyz[1], xyz[2]
	return p, ""
}
