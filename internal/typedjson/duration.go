package typedjson

import (
	"math/bits"
	"strconv"
	"strings"

	"graphrest/internal/graph"
)

const durationForm = `must be an ISO 8601 duration such as "P1Y2M14DT16H12M0.5S", with at most nine digits of fraction`

// appendDuration appends years and months, days, and hours, minutes and seconds, each with a separate sign, so that parsing
// returns the same four parts. Parts that are zero are left out, as Neo4j does.
func appendDuration(dst []byte, d graph.Duration) []byte {
	if d == (graph.Duration{}) {
		return append(dst, "PT0S"...)
	}
	dst = append(dst, 'P')
	dst = appendPart(dst, d.Months/12, 'Y')
	dst = appendPart(dst, d.Months%12, 'M')
	dst = appendPart(dst, d.Days, 'D')
	if d.Seconds == 0 && d.Nanos == 0 {
		return dst
	}
	dst = append(dst, 'T')
	seconds, fraction := d.Seconds, int64(d.Nanos)
	negative := seconds < 0
	if negative && fraction > 0 { // nanoseconds count upwards; the text counts away from zero
		seconds++
		fraction = nanosPerSecond - fraction
	}
	dst = appendPart(dst, seconds/3600, 'H')
	dst = appendPart(dst, seconds/60%60, 'M')
	if seconds%60 == 0 && fraction == 0 {
		return dst
	}
	if negative && seconds%60 == 0 {
		dst = append(dst, '-')
	}
	dst = appendFraction(strconv.AppendInt(dst, seconds%60, 10), fraction)
	return append(dst, 'S')
}

func appendPart(dst []byte, n int64, unit byte) []byte {
	if n == 0 {
		return dst
	}
	return append(strconv.AppendInt(dst, n, 10), unit)
}

// durationUnits are the units in their required order. Units of time follow the T.
var durationUnits = []struct {
	letter         byte
	time           bool
	months, days   int64 // value of one unit, in the one part that it belongs to
	seconds        int64
	fractionDays   int64 // how a fraction of the unit is converted: whole days first, the rest to seconds;
	fractionSecond int64 // both zero if a fraction has no exact meaning
}{
	{letter: 'Y', months: 12},
	{letter: 'M', months: 1},
	{letter: 'W', days: 7, fractionDays: 7},
	{letter: 'D', days: 1, fractionDays: 1},
	{letter: 'H', time: true, seconds: 3600, fractionSecond: 3600},
	{letter: 'M', time: true, seconds: 60, fractionSecond: 60},
	{letter: 'S', time: true, seconds: 1, fractionSecond: 1},
}

// parseDuration reads [±]P[nY][nM][nW][nD][T[nH][nM][nS]], where every n may have a sign. The last n may have a fraction
// unless it counts years or months, whose fractions have no exact length.
func parseDuration(text string) (graph.Value, string) {
	all := int64(1)
	switch {
	case strings.HasPrefix(text, "-"):
		all, text = -1, text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	rest, ok := strings.CutPrefix(text, "P")
	if !ok || rest == "" {
		return nil, durationForm
	}
	var sum durationSum
	inTime, unit := false, 0
	for rest != "" {
		if rest[0] == 'T' {
			if inTime || len(rest) == 1 {
				return nil, durationForm
			}
			inTime, rest = true, rest[1:]
		}
		var c component
		if c, rest, ok = scanComponent(rest, all); !ok {
			return nil, durationForm
		}
		for unit < len(durationUnits) && (durationUnits[unit].letter != c.letter || durationUnits[unit].time != inTime) {
			unit++
		}
		if unit == len(durationUnits) {
			return nil, durationForm
		}
		u := durationUnits[unit]
		unit++
		if c.fractional && (rest != "" || u.fractionDays == 0 && u.fractionSecond == 0) {
			return nil, "a duration's fraction must be in its last part, and not of years or months"
		}
		sum.add(&sum.months, c.whole, u.months)
		sum.add(&sum.days, c.whole, u.days)
		sum.add(&sum.seconds, c.whole, u.seconds)
		days := c.fraction * u.fractionDays
		sum.add(&sum.days, days/nanosPerSecond, 1)
		sum.addNanos(days%nanosPerSecond*secondsPerDay + c.fraction*u.fractionSecond)
	}
	if sum.overflow {
		return nil, "a duration's parts must fit into 64 bits"
	}
	return graph.Duration{Months: sum.months, Days: sum.days, Seconds: sum.seconds, Nanos: sum.nanos}, ""
}

// component is one number of a duration with its unit. Whole and fraction have the same sign; the fraction is in billionths.
type component struct {
	whole, fraction int64
	fractional      bool
	letter          byte
}

func scanComponent(s string, sign int64) (c component, rest string, ok bool) {
	start := s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	n := countDigits(s)
	if n == 0 {
		return c, "", false
	}
	number := start[:len(start)-len(s)+n]
	if number[0] == '-' {
		sign, number = -sign, number[1:]
	}
	number = strings.TrimPrefix(number, "+")
	if sign < 0 {
		number = "-" + number
	}
	whole, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return c, "", false
	}
	c.fractional = len(s) > n && s[n] == '.'
	fraction, s, ok := scanFraction(s[n:])
	if !ok || s == "" {
		return c, "", false
	}
	c.whole, c.fraction, c.letter = whole, sign*fraction, s[0]
	return c, s[1:], true
}

// durationSum adds up parts and detects overflow.
type durationSum struct {
	months, days, seconds int64
	nanos                 int
	overflow              bool
}

func (d *durationSum) add(to *int64, n, unit int64) {
	high, low := bits.Mul64(magnitude(n), uint64(unit))
	product := int64(low)
	if n < 0 {
		product = -product
	}
	sum := *to + product
	switch {
	case high != 0, low > 1<<63, low == 1<<63 && n > 0, low != 0 && (product < 0) != (n < 0),
		(sum > *to) != (product > 0):
		d.overflow = true
	}
	*to = sum
}

// addNanos adds nanoseconds of either sign; it is called at most once with a fraction.
func (d *durationSum) addNanos(nanos int64) {
	seconds := floorDiv(nanos, nanosPerSecond)
	d.add(&d.seconds, seconds, 1)
	d.nanos = int(nanos - seconds*nanosPerSecond)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
