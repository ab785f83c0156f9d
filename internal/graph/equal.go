package graph

import (
	"bytes"
	"math"
)

// EqualValues reports whether the database treats two values as identical. Floats are compared bit by bit, except that
// all NaNs are equal: 0.0 and -0.0 differ, and so do 1 and 1.0. A time with an offset and one with a named zone differ
// even at the same instant. A value outside the closed set equals no value.
func EqualValues(a, b Value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case float64:
		b, ok := b.(float64)
		return ok && equalFloats(a, b)
	case Point:
		b, ok := b.(Point)
		return ok && a.SRID == b.SRID && equalFloats(a.X, b.X) && equalFloats(a.Y, b.Y) && equalFloats(a.Z, b.Z)
	case Bytes:
		b, ok := b.(Bytes)
		return ok && bytes.Equal(a, b)
	case []Value:
		b, ok := b.([]Value)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !EqualValues(a[i], b[i]) {
				return false
			}
		}
		return true
	case bool, int64, string, Date, LocalTime, OffsetTime, LocalDateTime, DateTime, Duration:
		return kindOf(b) == kindOf(a) && a == b
	}
	return false
}

// EqualProperties reports whether two maps contain the same keys with equal values. A key with nil differs from a
// missing key.
func EqualProperties(a, b Properties) bool {
	if len(a) != len(b) {
		return false
	}
	for key, v := range a {
		w, ok := b[key]
		if !ok || !EqualValues(v, w) {
			return false
		}
	}
	return true
}

func equalFloats(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
