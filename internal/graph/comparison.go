package graph

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// The comparisons of conditions are those of Cypher's operators, value by value: org.neo4j.values.storable of Neo4j 5.26 and 2026.08, which
// generated values are compared with (internal/neo4jview/conditions_test.go). EqualValues compares by identity instead.

// EqualInCypher is Cypher's operator =. Numbers are equal by their numeric value; a NaN equals nothing. A byte array equals a list of the
// same numbers, each byte being -128 to 127. Date-times of one named zone are equal if their clocks show the same, so in the hour that is
// repeated when the clock is set back two instants are equal.
func EqualInCypher(a, b Value) bool {
	switch a := a.(type) {
	case nil:
		return false
	case int64:
		switch b := b.(type) {
		case int64:
			return a == b
		case float64:
			return equalNumbers(b, a)
		}
		return false
	case float64:
		switch b := b.(type) {
		case int64:
			return equalNumbers(a, b)
		case float64:
			return a == b
		}
		return false
	case DateTime:
		b, ok := b.(DateTime)
		return ok && a.equalInCypher(b)
	}
	listA, isList := ElementsInCypher(a)
	listB, bothLists := ElementsInCypher(b)
	if isList && bothLists {
		return slices.EqualFunc(listA, listB, EqualInCypher)
	}
	return EqualValues(a, b)
}

// ElementsInCypher are the elements of a value that is a list for Cypher, as a byte array is.
func ElementsInCypher(v Value) (elements []Value, isList bool) {
	switch v := v.(type) {
	case []Value:
		return v, true
	case Bytes:
		elements = make([]Value, len(v))
		for i, b := range v {
			elements[i] = int64(int8(b))
		}
		return elements, true
	default:
		return nil, false
	}
}

// CompareInCypher orders two values as Cypher's operators < and > do; ordered is false for values that have no order between them. -0.0 is
// less than 0 and 0.0, although it equals both.
func CompareInCypher(a, b Value) (order int, ordered bool) {
	switch a := a.(type) {
	case int64, float64:
		return compareNumbers(a, b)
	case string:
		b, ok := b.(string)
		return CompareTexts(a, b), ok
	case bool:
		b, ok := b.(bool)
		return cmp.Compare(ordinal(a), ordinal(b)), ok
	case Date:
		b, ok := b.(Date)
		return cmp.Compare(a.Days, b.Days), ok
	case LocalTime:
		b, ok := b.(LocalTime)
		return cmp.Compare(a.Nanos, b.Nanos), ok
	case LocalDateTime:
		b, ok := b.(LocalDateTime)
		return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Nanos, b.Nanos)), ok
	case OffsetTime:
		b, ok := b.(OffsetTime)
		return cmp.Or(cmp.Compare(a.utc(), b.utc()), cmp.Compare(a.Offset, b.Offset)), ok
	case DateTime:
		b, ok := b.(DateTime)
		return a.compareInCypher(b), ok
	}
	return 0, false
}

func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

// utc is the time of day at the offset 0, which may be on the day before or after.
func (t OffsetTime) utc() int64 { return t.Nanos - int64(t.Offset)*nanosPerSecond }

func (d DateTime) equalInCypher(other DateTime) bool {
	return d == other || d.Zone != "" && d.Zone == other.Zone && d.Nanos == other.Nanos && d.local() == other.local()
}

// compareInCypher orders by instant, then by offset, then a date-time without a named zone before one with, then by the name.
func (d DateTime) compareInCypher(other DateTime) int {
	order := cmp.Or(cmp.Compare(d.Seconds, other.Seconds), cmp.Compare(d.Nanos, other.Nanos))
	if order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(d.offsetAt(d.Seconds), other.offsetAt(d.Seconds)), cmp.Compare(d.Zone, other.Zone))
}

// firstInexact is the number from which on not every integer is a float.
const firstInexact = 1 << 53

// equalNumbers is NumberValues.numbersEqual. The float 2^63 is converted to the largest integer, which therefore equals it.
func equalNumbers(f float64, n int64) bool {
	switch {
	case f == -math.MinInt64:
		return n == math.MaxInt64
	case f >= math.MinInt64 && f < -math.MinInt64:
		return f == math.Trunc(f) && int64(f) == n
	default:
		return false
	}
}

func compareNumbers(a, b Value) (order int, ordered bool) {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b), true
		case float64:
			return -compareMixed(b, a), b == b
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return compareMixed(a, b), a == a
		case float64:
			return compareFloats(a, b), a == a && b == b
		}
	}
	return 0, false
}

// compareFloats is Java's Double.compare.
func compareFloats(a, b float64) int {
	if a == b {
		return cmp.Compare(ordinal(math.Signbit(b)), ordinal(math.Signbit(a)))
	}
	return cmp.Compare(a, b)
}

// compareMixed is NumberValues.compareDoubleAgainstLong: from 2^53 on it takes a float for the number that its shortest decimal form
// stands for.
func compareMixed(f float64, n int64) int {
	if size := math.Abs(f); size >= firstInexact && size < -2*math.MinInt64 {
		return decimalOf(f).Cmp(big.NewInt(n))
	}
	return compareFloats(f, float64(n))
}

// decimalOf is the number that the shortest decimal form of a large float stands for: 9223372036854776000 for 2^63.
func decimalOf(f float64) *big.Int {
	decimal, _ := new(big.Int).SetString(strconv.FormatFloat(f, 'f', -1, 64), 10) // has digits only
	return decimal
}

// IsLarge reports whether a number is so large that a range index, and versions of Java among each other, order integers and floats
// differently.
func IsLarge(v Value) bool {
	switch v := v.(type) {
	case int64:
		return v >= firstInexact || v <= -firstInexact
	case float64:
		return math.Abs(v) >= firstInexact && !math.IsInf(v, 0)
	default:
		return false
	}
}
