package transfer

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"graphrest/internal/typedjson"
)

// converters append the text of a field as JSON, by the type in the header.
var converters = map[string]func([]byte, string) ([]byte, error){
	"string": appendText, "char": appendText,
	"int": appendInteger, "long": appendInteger, "short": appendInteger, "byte": appendInteger,
	"float": appendFloat, "double": appendFloat,
	"boolean":       appendBoolean,
	"date":          taggedConverter("Date", ""),
	"localtime":     taggedConverter("LocalTime", ""),
	"time":          taggedConverter("Time", "Z"),
	"localdatetime": taggedConverter("LocalDateTime", ""),
	"datetime":      appendDateTime,
	"duration":      taggedConverter("Duration", ""),
	"point":         appendPoint,
}

func appendText(b []byte, s string) ([]byte, error) { return typedjson.AppendString(b, s), nil }

func appendInteger(b []byte, s string) ([]byte, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil {
		return b, fmt.Errorf("%q is not a 64-bit integer", s)
	}
	return strconv.AppendInt(b, n, 10), nil
}

// appendFloat appends a number with a fraction or an exponent, so that it is read as a float; NaN and the infinities are typed values.
func appendFloat(b []byte, s string) ([]byte, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil:
		return b, fmt.Errorf("%q is not a number", s)
	case math.IsNaN(f):
		return appendTagged(b, "Float", "NaN"), nil
	case math.IsInf(f, 1):
		return appendTagged(b, "Float", "Infinity"), nil
	case math.IsInf(f, -1):
		return appendTagged(b, "Float", "-Infinity"), nil
	}
	written := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(written, ".e") {
		written += ".0"
	}
	return append(b, written...), nil
}

func appendBoolean(b []byte, s string) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true":
		return append(b, "true"...), nil
	case "false":
		return append(b, "false"...), nil
	}
	return b, fmt.Errorf("%q is neither true nor false", s)
}

func appendTagged(b []byte, name, value string) []byte {
	b = append(b, `{"$type":"`+name+`","_value":`...)
	return append(typedjson.AppendString(b, value), '}')
}

// hasOffset matches an offset from UTC, or a Z, at the end of a time.
var hasOffset = regexp.MustCompile(`(Z|[+-]\d\d(:?\d\d)?)$`)

// taggedConverter returns a converter to typed JSON, which the gateway validates. If the text has no offset, the given one is added.
func taggedConverter(name, offset string) func([]byte, string) ([]byte, error) {
	return func(b []byte, s string) ([]byte, error) {
		s = strings.TrimSpace(s)
		if offset != "" && !hasOffset.MatchString(s) {
			s += offset
		}
		return appendTagged(b, name, s), nil
	}
}

// appendDateTime appends a time in a named zone or with an offset. Without either it is in UTC.
func appendDateTime(b []byte, s string) ([]byte, error) {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, "]") {
		return appendTagged(b, "ZonedDateTime", s), nil
	}
	clock := s[strings.IndexByte(s, 'T')+1:]
	if !hasOffset.MatchString(clock) {
		s += "Z"
	}
	return appendTagged(b, "OffsetDateTime", s), nil
}

var pointMember = regexp.MustCompile(`([A-Za-z]+)\s*:\s*'?([^,'}]+)'?`)

// appendPoint converts {longitude:13.4,latitude:52.5} or {x:1,y:2}, with an optional height or z.
func appendPoint(b []byte, s string) ([]byte, error) {
	members := map[string]string{}
	for _, m := range pointMember.FindAllStringSubmatch(s, -1) {
		members[strings.ToLower(m[1])] = strings.TrimSpace(m[2])
	}
	names, srid := []string{"x", "y", "z"}, [2]int{7203, 9157}
	if members["longitude"] != "" || strings.HasPrefix(strings.ToLower(members["crs"]), "wgs") {
		srid = [2]int{4326, 4979}
	}
	if members["longitude"] != "" {
		names = []string{"longitude", "latitude", "height"}
	}
	var numbers []string
	for _, name := range names {
		if members[name] == "" {
			break
		}
		f, err := strconv.ParseFloat(members[name], 64)
		if err != nil {
			return b, fmt.Errorf("%q is not a number", members[name])
		}
		numbers = append(numbers, strconv.FormatFloat(f, 'f', -1, 64))
	}
	switch len(numbers) {
	case 2:
		return appendTagged(b, "Point", fmt.Sprintf("SRID=%d;POINT (%s)", srid[0], strings.Join(numbers, " "))), nil
	case 3:
		return appendTagged(b, "Point", fmt.Sprintf("SRID=%d;POINT Z (%s)", srid[1], strings.Join(numbers, " "))), nil
	}
	return b, fmt.Errorf("%q is not a point such as {longitude:13.4,latitude:52.5}", s)
}
