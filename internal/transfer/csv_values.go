package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"graphrest/internal/typedjson"
)

// converter appends the text of a field as JSON.
type converter func([]byte, string) ([]byte, error)

// converters make the converter of a type in the header with the options that it has there.
var converters = map[string]func(options map[string]string) (converter, error){
	"string": plain(appendText), "char": plain(appendCharacter),
	"int": plain(appendInteger), "long": plain(appendInteger), "short": plain(appendInteger), "byte": plain(appendInteger),
	"float": plain(appendFloat), "double": plain(appendFloat),
	"boolean":       plain(appendBoolean),
	"date":          plain(taggedConverter("Date")),
	"localtime":     plain(taggedConverter("LocalTime")),
	"time":          newTimeConverter,
	"localdatetime": plain(taggedConverter("LocalDateTime")),
	"datetime":      newDateTimeConverter,
	"duration":      plain(taggedConverter("Duration")),
	"point":         newPointConverter,
	"byte[]":        plain(appendByteList),
	"bytes":         plain(taggedConverter("Base64")),
	"json":          plain(appendRaw),
}

// plain is a converter of a type without options.
func plain(c converter) func(map[string]string) (converter, error) {
	return func(options map[string]string) (converter, error) { return c, refuseOptions(options) }
}

func appendText(b []byte, s string) ([]byte, error) { return typedjson.AppendString(b, s), nil }

func appendCharacter(b []byte, s string) ([]byte, error) {
	if utf8.RuneCountInString(s) != 1 {
		return b, fmt.Errorf("%q is not one character", s)
	}
	return appendText(b, s)
}

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
	case math.IsNaN(f) || math.IsInf(f, 0):
		return appendTagged(b, "Float", specialFloat(f)), nil
	}
	written := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(written, ".e") {
		written += ".0"
	}
	return append(b, written...), nil
}

func specialFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return "NaN"
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

// appendRaw appends a value that is written in JSON, as lines of an import have it.
func appendRaw(b []byte, s string) ([]byte, error) {
	if s = strings.TrimSpace(s); !json.Valid([]byte(s)) {
		return b, fmt.Errorf("%q is not JSON", s)
	}
	for text := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
		b = append(b, text...) // line breaks in JSON are between its tokens
	}
	return b, nil
}

// appendByteList converts numbers from -128 to 127, separated as the values of a list.
func appendByteList(b []byte, s string) ([]byte, error) {
	var raw []byte
	for text := range strings.SplitSeq(s, listSeparator) {
		if text = strings.TrimSpace(text); text == "" && s == "" {
			break
		}
		n, err := strconv.ParseInt(text, 10, 8)
		if err != nil {
			return b, fmt.Errorf("%q is not a number from -128 to 127", text)
		}
		raw = append(raw, byte(n))
	}
	text, err := json.Marshal(raw)
	return append(append(append(b, `{"$type":"Base64","_value":`...), orEmpty(text)...), '}'), err
}

// orEmpty is the text of bytes in JSON, of which none are null.
func orEmpty(text []byte) []byte {
	if string(text) == "null" {
		return []byte(`""`)
	}
	return text
}

func appendTagged(b []byte, name, value string) []byte {
	b = append(b, `{"$type":"`+name+`","_value":`...)
	return append(typedjson.AppendString(b, value), '}')
}

// checkTagged returns an error if the gateway would refuse a value, so that what is wrong with a header is found once.
func checkTagged(name, value string) error {
	if _, f := typedjson.ParseValue("", string(appendTagged(nil, name, value))); f != nil {
		return f
	}
	return nil
}

// hasOffset matches an offset from UTC, or a Z, at the end of a time.
var hasOffset = regexp.MustCompile(`(Z|[+-]\d\d(:?\d\d(:?\d\d)?)?)$`)

// splitOffset writes an offset with the colons that the gateway needs: +0200 as +02:00.
func splitOffset(s string) string {
	at := strings.LastIndexAny(s, "+-")
	if at < 0 || strings.Contains(s[at:], ":") || !hasOffset.MatchString(s[at:]) {
		return s
	}
	digits := s[at+1:]
	for n := 2; n < len(digits); n += 3 {
		digits = digits[:n] + ":" + digits[n:]
	}
	return s[:at+1] + digits
}

// taggedConverter returns a converter to typed JSON, which the gateway validates.
func taggedConverter(name string) converter {
	return func(b []byte, s string) ([]byte, error) { return appendTagged(b, name, strings.TrimSpace(s)), nil }
}

// newTimeConverter converts times with an offset; those without have that of the option timezone, or else UTC.
func newTimeConverter(options map[string]string) (converter, error) {
	offset, given := options["timezone"]
	if !given {
		offset = "Z"
	}
	if checkTagged("Time", "12:00"+splitOffset(offset)) != nil {
		return nil, fmt.Errorf("the timezone of a time is %q; it must be an offset such as +02:00, because a zone has one on a date only", offset)
	}
	return func(b []byte, s string) ([]byte, error) {
		if s = strings.TrimSpace(s); !hasOffset.MatchString(s) {
			s += offset
		}
		return appendTagged(b, "Time", splitOffset(s)), nil
	}, refuseOptions(options, "timezone")
}

// newDateTimeConverter converts times in a named zone or with an offset; those without have that of the option timezone, or else UTC.
func newDateTimeConverter(options map[string]string) (converter, error) {
	zone, given := options["timezone"]
	isOffset := zone == "Z" || strings.IndexAny(zone, "+-") == 0
	inZone := func(s string) (name, text string) {
		if isOffset {
			return "OffsetDateTime", splitOffset(s + zone)
		}
		return "ZonedDateTime", s + "[" + zone + "]"
	}
	if given && checkTagged(inZone("2024-05-01T12:00")) != nil {
		return nil, fmt.Errorf("the timezone is %q; it must be a name of the IANA time zone database such as Europe/Stockholm, "+
			"or an offset such as +02:00", zone)
	}
	return func(b []byte, s string) ([]byte, error) {
		s = strings.TrimSpace(s)
		clock := s[strings.IndexByte(s, 'T')+1:]
		switch {
		case strings.HasSuffix(s, "]"):
			return appendTagged(b, "ZonedDateTime", s), nil
		case hasOffset.MatchString(clock):
			return appendTagged(b, "OffsetDateTime", splitOffset(s)), nil
		case !given:
			return appendTagged(b, "OffsetDateTime", s+"Z"), nil
		}
		name, text := inZone(s)
		return appendTagged(b, name, text), nil
	}, refuseOptions(options, "timezone")
}

var (
	pointMember = regexp.MustCompile(`^\s*([A-Za-z]+)\s*:\s*(?:'([^']*)'|"([^"]*)"|([^'"]*?))\s*$`)
	pointKeys   = []string{"crs", "srid", "x", "y", "z", "longitude", "latitude", "height"}
)

// newPointConverter converts {longitude:13.4,latitude:52.5} or {x:1,y:2}, with an optional height or z, and a crs or an srid. The
// options are what the maps of the column need not contain. A point as the gateway writes it is accepted as well.
func newPointConverter(options map[string]string) (converter, error) {
	if err := refuseOptions(options, pointKeys...); err != nil {
		return nil, err
	}
	if err := checkPointOptions(options); err != nil {
		return nil, err
	}
	return func(b []byte, s string) ([]byte, error) {
		if s = strings.TrimSpace(s); strings.HasPrefix(s, "SRID=") {
			return appendTagged(b, "Point", s), nil
		}
		members, err := parsePoint(s, options)
		if err != nil {
			return b, err
		}
		text, err := formatPoint(members)
		if err != nil {
			return b, fmt.Errorf("%q: %w", s, err)
		}
		return appendTagged(b, "Point", text), nil
	}, nil
}

// checkPointOptions returns an error if options of a header contradict each other: a value without any of them must be possible.
func checkPointOptions(options map[string]string) error {
	system, err := pointSystem(options)
	if err != nil {
		return err
	}
	axes := pointAxes[:]
	if hasEarthAxes(options) {
		axes = earthAxes[:]
	}
	if !isSpatial(system) {
		axes = axes[:2] // the third is only what the options have
	}
	point := map[string]string{}
	for _, axis := range axes {
		point[axis] = "0"
	}
	maps.Copy(point, options)
	_, err = formatPoint(point)
	return err
}

// parsePoint returns the members of a point's map, with the options for those that it lacks.
func parsePoint(s string, options map[string]string) (map[string]string, error) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, fmt.Errorf("%q is not a point such as {longitude:13.4,latitude:52.5}", s)
	}
	members := map[string]string{}
	for part := range strings.SplitSeq(s[1:len(s)-1], ",") {
		m := pointMember.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q is not a point such as {longitude:13.4,latitude:52.5}", s)
		}
		members[strings.ToLower(m[1])] = m[2] + m[3] + m[4]
	}
	if err := refuseOptions(members, pointKeys...); err != nil {
		return nil, fmt.Errorf("%q: %w", s, err)
	}
	ownSystem, err := pointSystem(members)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", s, err)
	}
	for key, value := range options {
		if _, given := members[key]; !given && (ownSystem == 0 || systemHas(ownSystem, key)) {
			members[key] = value
		}
	}
	return members, nil
}

// coordinateSystems are those of Neo4j, by the name in lower case.
var coordinateSystems = map[string]int{"wgs-84": 4326, "wgs-84-3d": 4979, "cartesian": 7203, "cartesian-3d": 9157}

var (
	pointAxes = [3]string{"x", "y", "z"}
	earthAxes = [3]string{"longitude", "latitude", "height"}
)

func isEarth(system int) bool   { return system == 4326 || system == 4979 }
func isSpatial(system int) bool { return system == 4979 || system == 9157 }

func hasEarthAxes(members map[string]string) bool {
	return members["longitude"]+members["latitude"]+members["height"] != ""
}

// systemHas reports whether points of a system have an axis, so that a value with this system takes it from the header.
func systemHas(system int, axis string) bool {
	n := max(slices.Index(pointAxes[:], axis), slices.Index(earthAxes[:], axis))
	return (n == 0 || n == 1 || n == 2 && isSpatial(system)) && (isEarth(system) || slices.Contains(pointAxes[:], axis))
}

// pointSystem returns the system that a crs or an srid names; 0 for none.
func pointSystem(members map[string]string) (int, error) {
	crs, srid := members["crs"], members["srid"]
	system, known := coordinateSystems[strings.ToLower(crs)]
	if crs != "" && !known {
		return 0, fmt.Errorf("the crs is %q; it must be WGS-84, WGS-84-3D, cartesian or cartesian-3D", crs)
	}
	if srid == "" {
		return system, nil
	}
	n, err := strconv.Atoi(srid)
	if err != nil || n != 4326 && n != 4979 && n != 7203 && n != 9157 {
		return 0, fmt.Errorf("the srid is %q; it must be 4326, 4979, 7203 or 9157", srid)
	}
	if crs != "" && n != system {
		return 0, errors.New("crs and srid name different systems")
	}
	return n, nil
}

// formatPoint writes a point as typed JSON has it.
func formatPoint(members map[string]string) (string, error) {
	system, err := pointSystem(members)
	if err != nil {
		return "", err
	}
	onEarth := isEarth(system) || system == 0 && members["longitude"]+members["latitude"] != ""
	axes := pointAxes
	if hasEarthAxes(members) {
		if !onEarth {
			return "", errors.New("longitude, latitude and height belong to WGS-84")
		}
		if members["x"]+members["y"]+members["z"] != "" {
			return "", errors.New("x, y and z cannot be given together with longitude, latitude and height")
		}
		axes = earthAxes
	}
	var numbers []string
	for n, axis := range axes {
		if members[axis] == "" && n == 2 {
			break
		}
		f, err := strconv.ParseFloat(members[axis], 64)
		if err != nil {
			return "", fmt.Errorf("%s is %q, not a number", axis, members[axis])
		}
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			text = specialFloat(f)
		}
		numbers = append(numbers, text)
	}
	flat, spatial := 7203, 9157
	if onEarth {
		flat, spatial = 4326, 4979
	}
	want, form := flat, "SRID=%d;POINT (%s)"
	if len(numbers) == 3 {
		want, form = spatial, "SRID=%d;POINT Z (%s)"
	}
	if system != 0 && system != want {
		return "", fmt.Errorf("a point of system %d does not have %d coordinates", system, len(numbers))
	}
	return fmt.Sprintf(form, want, strings.Join(numbers, " ")), nil
}
