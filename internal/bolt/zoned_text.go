package bolt

import (
	"regexp"
	"strconv"

	"graphrest/internal/graph"
)

// zonedText matches Neo4j's string of a ZONED DATETIME: 2024-05-01T12:00:00.5+02:00[Zone], without [Zone] if there is only an offset, as
// there may be in a list. Years may have nine digits, seconds may be omitted.
var zonedText = regexp.MustCompile(
	`^([+-]?\d{4,9})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d)(?::(\d\d))?)(?:\[([^\]]+)\])?$`)

// ParseZoned parses a date-time, or a list of them.
func ParseZoned(text any) (graph.Value, bool) {
	switch text := text.(type) {
	case string:
		return parseZonedText(text)
	case []any:
		values := make([]any, len(text))
		for i := range text {
			value, ok := ParseZoned(text[i])
			if !ok {
				return nil, false
			}
			values[i] = value
		}
		return values, true
	default:
		return nil, false
	}
}

func parseZonedText(text string) (graph.Value, bool) {
	m := zonedText.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(m[i], 10, 64) // only digits, or empty, which is zero
		return n
	}
	offset := number(9)*3600 + number(10)*60 + number(11)
	if m[8] == "-" {
		offset = -offset
	}
	local := epochDays(number(1), number(2), number(3))*secondsOfDay + number(4)*3600 + number(5)*60 + number(6)
	nanos, _ := strconv.Atoi((m[7] + "000000000")[:9])
	d := graph.DateTime{Seconds: local - offset, Nanos: nanos, Zone: m[12]}
	if d.Zone == "" {
		d.Offset = int(offset)
	}
	return d, true
}

// epochDays counts the days from 1970-01-01 to a day of the ISO 8601 calendar. A period of 400 years has 146,097 days; in years that begin
// on 1 March, the leap day is the last day.
func epochDays(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	period := year / 400
	if year%400 < 0 {
		period--
	}
	of := year - period*400
	return period*146097 + of*365 + of/4 - of/100 + (153*(month-3)+2)/5 + day - 1 - 719468
}
