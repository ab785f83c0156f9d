package typedjson

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/graph"
)

// The formats of temporal values are those of java.time's ISO formatters, which Neo4j uses: years of four digits, after 9999
// with a plus sign, before year 0 with a minus sign; seconds with a fraction of up to nine digits; offsets as "Z" or ±HH:MM,
// with seconds if they are not zero.

const (
	dateForm   = `must be a date such as "2024-05-01" between the years -999999999 and +999999999`
	clockForm  = `must be a time such as "12:30:00" or "12:30:00.123456789" with at most nine digits of fraction`
	offsetForm = `must have an offset such as "+02:00" or "Z", of at most 18 hours`
	splitForm  = `must be a date and a time such as "2024-05-01T12:30:00"`
	zoneForm   = `must end in the name of its time zone, as in "2024-05-01T12:30:00+02:00[Europe/Berlin]"`
)

const (
	secondsPerDay  = 86400
	nanosPerSecond = 1_000_000_000
)

func appendDate(dst []byte, days int64) []byte {
	year, month, day := time.Unix(days*secondsPerDay, 0).UTC().Date()
	switch {
	case year > 9999:
		dst = append(dst, '+')
	case year < 0:
		dst = append(dst, '-')
		year = -year
	}
	dst = appendPadded(dst, int64(year), 4)
	dst = appendPadded(append(dst, '-'), int64(month), 2)
	return appendPadded(append(dst, '-'), int64(day), 2)
}

// appendClock appends a time of day given in nanoseconds.
func appendClock(dst []byte, nanos int64) []byte {
	seconds := nanos / nanosPerSecond
	dst = appendPadded(dst, seconds/3600, 2)
	dst = appendPadded(append(dst, ':'), seconds/60%60, 2)
	dst = appendPadded(append(dst, ':'), seconds%60, 2)
	return appendFraction(dst, nanos%nanosPerSecond)
}

func appendFraction(dst []byte, nanos int64) []byte {
	if nanos == 0 {
		return dst
	}
	dst = appendPadded(append(dst, '.'), nanos, 9)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func appendOffset(dst []byte, offset int) []byte {
	switch {
	case offset == 0:
		return append(dst, 'Z')
	case offset < 0:
		dst, offset = append(dst, '-'), -offset
	default:
		dst = append(dst, '+')
	}
	dst = appendPadded(dst, int64(offset/3600), 2)
	dst = appendPadded(append(dst, ':'), int64(offset/60%60), 2)
	if offset%60 != 0 {
		dst = appendPadded(append(dst, ':'), int64(offset%60), 2)
	}
	return dst
}

// appendDateTime appends local seconds since 1970-01-01T00:00.
func appendDateTime(dst []byte, seconds int64, nanos int) []byte {
	days := floorDiv(seconds, secondsPerDay)
	dst = append(appendDate(dst, days), 'T')
	return appendClock(dst, (seconds-days*secondsPerDay)*nanosPerSecond+int64(nanos))
}

func appendZoned(dst []byte, v graph.DateTime) []byte {
	if v.Zone == "" {
		dst = appendDateTime(openTag(dst, tagOffsetDateTime), v.Seconds+int64(v.Offset), v.Nanos)
		return closeTag(appendOffset(dst, v.Offset))
	}
	offset := 0
	if l := loadZone(v.Zone); l != nil && v.Seconds >= firstAgreedSecond {
		offset = offsetAt(l, v.Seconds)
	}
	dst = appendDateTime(openTag(dst, tagZonedDateTime), v.Seconds+int64(offset), v.Nanos)
	dst = append(appendOffset(dst, offset), '[')
	return closeTag(append(append(dst, v.Zone...), ']'))
}

func appendPadded(dst []byte, n int64, width int) []byte {
	for limit := int64(10); width > 1; width-- {
		if n < limit {
			dst = append(dst, "000000000"[:width-1]...)
			break
		}
		limit *= 10
	}
	return strconv.AppendInt(dst, n, 10)
}

func parseDate(text string) (graph.Value, string) {
	days, rest, ok := scanDate(text)
	if !ok || rest != "" {
		return nil, dateReason(text)
	}
	return graph.Date{Days: days}, ""
}

func parseLocalTime(text string) (graph.Value, string) {
	nanos, rest, ok := scanClock(text)
	if !ok || rest != "" {
		return nil, clockReason(text)
	}
	return graph.LocalTime{Nanos: nanos}, ""
}

func parseTime(text string) (graph.Value, string) {
	nanos, rest, ok := scanClock(text)
	if !ok {
		return nil, clockReason(text)
	}
	offset, rest, ok := scanOffset(rest)
	if !ok || rest != "" {
		return nil, offsetForm
	}
	return graph.OffsetTime{Nanos: nanos, Offset: offset}, ""
}

func parseLocalDateTime(text string) (graph.Value, string) {
	seconds, nanos, rest, reason := scanDateTime(text)
	if reason != "" {
		return nil, reason
	}
	if rest != "" {
		return nil, splitForm + ", without an offset or zone"
	}
	return graph.LocalDateTime{Seconds: seconds, Nanos: nanos}, ""
}

func parseOffsetDateTime(text string) (graph.Value, string) {
	seconds, nanos, rest, reason := scanDateTime(text)
	if reason != "" {
		return nil, reason
	}
	offset, rest, ok := scanOffset(rest)
	if !ok || rest != "" {
		return nil, offsetForm
	}
	return graph.DateTime{Seconds: seconds - int64(offset), Nanos: nanos, Offset: offset}, ""
}

// parseZonedDateTime parses a local time, an optional offset, and the zone's name in brackets. The offset must be the zone's
// offset at that time; another one is rejected. Before firstAgreedSecond any offset is accepted, and required.
func parseZonedDateTime(text string) (graph.Value, string) {
	seconds, nanos, rest, reason := scanDateTime(text)
	if reason != "" {
		return nil, reason
	}
	open := strings.IndexByte(rest, '[')
	if open < 0 || rest[len(rest)-1] != ']' {
		return nil, zoneForm
	}
	name, rest := rest[open+1:len(rest)-1], rest[:open]
	offset, given := 0, rest != ""
	if given {
		var ok bool
		if offset, rest, ok = scanOffset(rest); !ok || rest != "" {
			return nil, offsetForm
		}
	}
	l := loadZone(name)
	switch {
	case l == nil && !javaOnlyZones[name]:
		return nil, "names a time zone that is not known; names are those of the IANA time zone database, such as Europe/Berlin"
	case l == nil && (!given || offset != 0):
		return nil, "a time in this old zone must be given in UTC, with the offset Z"
	case l == nil:
	case !given:
		if seconds = resolveLocalTime(l, seconds); seconds < firstAgreedSecond {
			return nil, "a time before 1970 in a named zone must have its offset, or be given in UTC, with the offset Z"
		}
	default:
		seconds -= int64(offset)
		if seconds >= firstAgreedSecond && offsetAt(l, seconds) != offset {
			return nil, "has an offset that its time zone does not have at that time"
		}
	}
	return graph.DateTime{Seconds: seconds, Nanos: nanos, Zone: strings.Clone(name)}, ""
}

// scanDateTime reads a date and a time of day; rest is what follows.
func scanDateTime(text string) (seconds int64, nanos int, rest, reason string) {
	days, rest, ok := scanDate(text)
	if !ok {
		return 0, 0, "", dateReason(text)
	}
	rest, ok = strings.CutPrefix(rest, "T")
	if !ok {
		return 0, 0, "", splitForm
	}
	clock, after, ok := scanClock(rest)
	if !ok {
		return 0, 0, "", clockReason(rest)
	}
	return days*secondsPerDay + clock/nanosPerSecond, int(clock % nanosPerSecond), after, ""
}

var (
	dateShape  = regexp.MustCompile(`^[+-]?\d{4,9}-(\d\d)-(\d\d)(?:T|$)`)
	clockShape = regexp.MustCompile(`^(\d\d):(\d\d)(?::(\d\d))?`)
)

// dateReason says what is wrong with a text that scanDate has refused: the form, or a month or day that does not exist.
func dateReason(text string) string {
	parts := dateShape.FindStringSubmatch(text)
	switch {
	case parts == nil:
		return dateForm
	case parts[1] < "01" || parts[1] > "12":
		return "has the month " + parts[1] + ": there are 01 to 12"
	}
	date, _, _ := strings.Cut(text, "T")
	month := strings.TrimSuffix(date, "-"+parts[2])
	_, _, isDay := scanDate(date)
	if _, _, isMonth := scanDate(month + "-01"); isDay || !isMonth {
		return dateForm // a time follows, or the year is not one
	}
	return "has a day that does not exist: " + month + " has no day " + parts[2]
}

// clockReason is likewise for scanClock.
func clockReason(text string) string {
	parts := clockShape.FindStringSubmatch(text)
	switch {
	case parts == nil:
	case parts[1] > "23":
		return "has the hour " + parts[1] + ": there are 00 to 23"
	case parts[2] > "59":
		return "has the minute " + parts[2] + ": there are 00 to 59"
	case parts[3] > "59":
		return "has the second " + parts[3] + ": there are 00 to 59"
	}
	return clockForm
}

func scanDate(s string) (days int64, rest string, ok bool) {
	sign := byte(0)
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[0], s[1:]
	}
	n := countDigits(s)
	switch {
	case n < 4 || n > 9, sign == 0 && n > 4, sign == '+' && n == 4:
		return 0, "", false
	}
	year, s, _ := scanNumber(s, n)
	if sign == '-' {
		if year == 0 {
			return 0, "", false
		}
		year = -year
	}
	month, s, ok1 := scanField(s, '-')
	day, s, ok2 := scanField(s, '-')
	if !ok1 || !ok2 || month < 1 || month > 12 {
		return 0, "", false
	}
	date := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
	if date.Day() != int(day) { // the month has no such day
		return 0, "", false
	}
	return date.Unix() / secondsPerDay, s, true
}

// scanClock reads HH:MM, HH:MM:SS or HH:MM:SS.f and returns nanoseconds since midnight.
func scanClock(s string) (nanos int64, rest string, ok bool) {
	hour, s, ok1 := scanNumber(s, 2)
	minute, s, ok2 := scanField(s, ':')
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, "", false
	}
	seconds := hour*3600 + minute*60
	if s == "" || s[0] != ':' {
		return seconds * nanosPerSecond, s, true
	}
	second, s, ok := scanField(s, ':')
	if !ok || second > 59 {
		return 0, "", false
	}
	fraction, s, ok := scanFraction(s)
	return (seconds+second)*nanosPerSecond + fraction, s, ok
}

// scanFraction reads an optional point with one to nine digits, in nanoseconds.
func scanFraction(s string) (nanos int64, rest string, ok bool) {
	if s == "" || s[0] != '.' {
		return 0, s, true
	}
	n := countDigits(s[1:])
	if n < 1 || n > 9 {
		return 0, "", false
	}
	nanos, rest, _ = scanNumber(s[1:], n)
	for ; n < 9; n++ {
		nanos *= 10
	}
	return nanos, rest, true
}

// scanOffset reads Z, ±HH, ±HH:MM or ±HH:MM:SS and returns seconds east of UTC.
func scanOffset(s string) (offset int, rest string, ok bool) {
	if s == "" {
		return 0, "", false
	}
	sign := s[0]
	switch s = s[1:]; sign {
	case 'Z':
		return 0, s, true
	case '+', '-':
	default:
		return 0, "", false
	}
	total, s, ok := scanNumber(s, 2)
	total *= 3600
	for unit := int64(60); ok && unit > 0 && s != "" && s[0] == ':'; unit /= 60 {
		var n int64
		n, s, ok = scanField(s, ':')
		ok = ok && n < 60
		total += n * unit
	}
	if !ok || total > 18*3600 {
		return 0, "", false
	}
	if sign == '-' {
		total = -total
	}
	return int(total), s, true
}

// scanField reads a separator and two digits.
func scanField(s string, separator byte) (n int64, rest string, ok bool) {
	if s == "" || s[0] != separator {
		return 0, "", false
	}
	return scanNumber(s[1:], 2)
}

// scanNumber reads a number of exactly width digits, at most nine. More digits may follow.
func scanNumber(s string, width int) (n int64, rest string, ok bool) {
	if len(s) < width || countDigits(s[:width]) != width {
		return 0, "", false
	}
	for _, c := range []byte(s[:width]) {
		n = n*10 + int64(c-'0')
	}
	return n, s[width:], true
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
