package bolt

import (
	"regexp"
	"strconv"
	"time"

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
	local := time.Date(
		int(number(1)), time.Month(number(2)), int(number(3)), int(number(4)), int(number(5)), int(number(6)), 0, time.UTC,
	)
	nanos, _ := strconv.Atoi((m[7] + "000000000")[:9])
	d := graph.DateTime{Seconds: local.Unix() - offset, Nanos: nanos, Zone: m[12]}
	if d.Zone == "" {
		d.Offset = int(offset)
	}
	return d, true
}
