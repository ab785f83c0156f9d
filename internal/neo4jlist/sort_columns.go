package neo4jlist

import (
	"cmp"
	"math"
	"strings"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
)

// columnsOf computes the two columns of cypher.Order from a value of the driver. agrees is true for values that ORDER BY sorts like the
// columns.
func columnsOf(v any, descending bool) (rank int64, derived any, agrees bool) {
	switch v := v.(type) {
	case nil:
		return cypher.RankUnset(descending), int64(0), true
	case bool:
		return cypher.RankBoolean, v, true
	case string:
		return cypher.RankText, v, isPlainText(v)
	case int64:
		return cypher.RankNumber, []any{float64(v), int64(0)}, isExactNumber(float64(v))
	case float64:
		if v == 0 && math.Signbit(v) {
			return cypher.RankNumber, []any{0.0, int64(-1)}, true
		}
		return cypher.RankNumber, []any{v, int64(0)}, isExactNumber(v)
	case bolt.Date:
		t := time.Time(v)
		return cypher.RankDate, []any{int64(t.Year()), int64(t.YearDay())}, isPlainYear(t.Year())
	case []any:
		if len(v) == 4 { // of a date-time with a zone: see cypher.Top
			seconds, _, can := twoIntegers(v)
			return cypher.RankDateTime, v, can && isPlainYear(time.Unix(seconds, 0).UTC().Year())
		}
	}
	return 0, nil, false
}

// valueOf is a value for < and > from columns of columnsOf: no value after the position sorts before it.
func valueOf(rank int64, derived any, descending bool) (value any, can bool) {
	parts, _ := derived.([]any)
	switch rank {
	case cypher.RankNumber:
		if len(parts) != 2 {
			return nil, false
		}
		f, _ := parts[0].(float64)
		if f == 0 && !descending { // a range index sorts -0.0 before 0.0
			f = math.Copysign(0, -1)
		}
		return f, isExactNumber(f)
	case cypher.RankText:
		text, isText := derived.(string)
		return text, isText && isPlainText(text)
	case cypher.RankBoolean:
		_, isBoolean := derived.(bool)
		return derived, isBoolean
	case cypher.RankDate:
		year, day, can := twoIntegers(parts)
		return bolt.Date(time.Date(int(year), 1, int(day), 0, 0, 0, 0, time.UTC)), can && isPlainYear(int(year))
	case cypher.RankDateTime: // one nanosecond off: the zone decides between values of the same instant
		off := -time.Nanosecond
		if descending {
			off = time.Nanosecond
		}
		seconds, nanos, can := twoIntegers(parts)
		t := time.Unix(seconds, nanos).Add(off).UTC()
		return t, can && isPlainYear(t.Year())
	}
	return nil, false
}

// isExactNumber reports whether a number is the same as an integer and as a float. It is false for NaN.
func isExactNumber(f float64) bool { return math.Abs(f) < 1<<53 }

func isPlainYear(year int) bool { return year > 0 && year < 10000 }

// isPlainText reports whether all of Neo4j's string comparisons agree on a string, and whether a position contains it completely.
func isPlainText(text string) bool {
	return len(text) < cypher.SortedText && !strings.ContainsFunc(text, func(r rune) bool { return r >= 0xD800 })
}

func twoIntegers(parts []any) (a, b int64, ok bool) {
	if len(parts) < 2 {
		return 0, 0, false
	}
	a, isInteger := parts[0].(int64)
	b, isOne := parts[1].(int64)
	return a, b, isInteger && isOne
}

// compareColumns compares two columns, or lists of columns.
func compareColumns(a, b any) int {
	switch a := a.(type) {
	case int64:
		b, _ := b.(int64)
		return cmp.Compare(a, b)
	case float64:
		b, _ := b.(float64)
		return cmp.Compare(a, b)
	case string:
		b, _ := b.(string)
		return cmp.Compare(a, b)
	case bool:
		if a == (b == true) {
			return 0
		}
		if a {
			return 1
		}
		return -1
	case []any:
		b, _ := b.([]any)
		for i := range min(len(a), len(b)) {
			if order := compareColumns(a[i], b[i]); order != 0 {
				return order
			}
		}
		return cmp.Compare(len(a), len(b))
	}
	return 0
}
