package rules

import (
	"math/big"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"graphrest/internal/graph"
)

// matches reports whether properties meet a condition: what the same condition in a list's filter selects in the database. A value of
// another kind than the operator's or the literal's does not match; it is "not equal" to the literal.
func matches(c graph.Condition, p graph.Properties) bool {
	v, present := p[c.Property]
	if c.Operator == graph.Exists {
		return present == (c.Value == true)
	}
	if !present {
		return false
	}
	switch c.Operator {
	case graph.Equal:
		return equal(v, c.Value)
	case graph.NotEqual:
		return !equal(v, c.Value)
	case graph.OneOf, graph.NoneOf:
		list, _ := c.Value.([]graph.Value)
		return slices.ContainsFunc(list, func(e graph.Value) bool { return equal(v, e) }) == (c.Operator == graph.OneOf)
	case graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual:
		return matchesOrder(c.Operator, v, c.Value)
	case graph.Has:
		list, _ := v.([]graph.Value)
		return slices.ContainsFunc(list, func(e graph.Value) bool { return equal(e, c.Value) })
	default:
		return matchesText(c.Operator, v, c.Value)
	}
}

func matchesText(operator graph.Operator, v, literal graph.Value) bool {
	text, isText := v.(string)
	part, partIsText := literal.(string)
	if !isText || !partIsText {
		return false
	}
	switch operator {
	case graph.Contains:
		return strings.Contains(text, part)
	case graph.ContainsFold:
		// Cypher's toLower is Java's String.toLowerCase, which follows the special casing of the Unicode standard, as this does.
		lower := cases.Lower(language.Und)
		return strings.Contains(lower.String(text), lower.String(part))
	case graph.StartsWith:
		return strings.HasPrefix(text, part)
	case graph.EndsWith:
		return strings.HasSuffix(text, part)
	default:
		return false
	}
}

func matchesOrder(operator graph.Operator, v, literal graph.Value) bool {
	order, ordered := compare(v, literal)
	if !ordered {
		return false
	}
	switch operator {
	case graph.Less:
		return order < 0
	case graph.LessEqual:
		return order <= 0
	case graph.Greater:
		return order > 0
	default:
		return order >= 0
	}
}

// equal is Cypher's operator =: numbers are equal by their numeric value, and no NaN is equal to anything.
func equal(a, b graph.Value) bool {
	if isNumber(a) && isNumber(b) {
		order, ordered := compare(a, b)
		return ordered && order == 0
	}
	listA, isList := a.([]graph.Value)
	listB, bothLists := b.([]graph.Value)
	if isList && bothLists {
		return slices.EqualFunc(listA, listB, equal)
	}
	return graph.EqualValues(a, b)
}

// compare orders two values of one kind; ordered is false for values that have no order between them.
func compare(a, b graph.Value) (order int, ordered bool) {
	if isNumber(a) && isNumber(b) {
		return compareNumbers(a, b)
	}
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return graph.CompareTexts(a, b), ok
	case bool:
		b, ok := b.(bool)
		return ordinal(b, a), ok
	case graph.Date:
		b, ok := b.(graph.Date)
		return compareParts(a.Days, b.Days), ok
	case graph.LocalTime:
		b, ok := b.(graph.LocalTime)
		return compareParts(a.Nanos, b.Nanos), ok
	case graph.LocalDateTime:
		b, ok := b.(graph.LocalDateTime)
		return compareParts(a.Seconds, b.Seconds, int64(a.Nanos), int64(b.Nanos)), ok
	case graph.OffsetTime:
		b, ok := b.(graph.OffsetTime)
		return compareParts(a.Nanos-int64(a.Offset)*1e9, b.Nanos-int64(b.Offset)*1e9, int64(a.Offset), int64(b.Offset)), ok
	case graph.DateTime:
		b, ok := b.(graph.DateTime)
		return compareParts(a.Seconds, b.Seconds, int64(a.Nanos), int64(b.Nanos), int64(a.Offset), int64(b.Offset)), ok
	}
	return 0, false
}

// ordinal is -1, 0 or 1 for b before, beside or after a; false comes before true.
func ordinal(b, a bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// compareParts compares pairs of parts, the most significant pair first.
func compareParts(pairs ...int64) int {
	for i := 0; i+1 < len(pairs); i += 2 {
		switch {
		case pairs[i] < pairs[i+1]:
			return -1
		case pairs[i] > pairs[i+1]:
			return 1
		}
	}
	return 0
}

func isNumber(v graph.Value) bool {
	switch v.(type) {
	case int64, float64:
		return true
	default:
		return false
	}
}

// compareNumbers compares by numeric value, exactly: a large integer is not rounded to a float.
func compareNumbers(a, b graph.Value) (order int, ordered bool) {
	x, okX := exact(a)
	y, okY := exact(b)
	if !okX || !okY {
		return 0, false
	}
	return x.Cmp(y), true
}

// exact is a number without rounding; false for NaN.
func exact(v graph.Value) (*big.Float, bool) {
	switch v := v.(type) {
	case int64:
		return new(big.Float).SetInt64(v), true
	case float64:
		if v != v {
			return nil, false
		}
		return new(big.Float).SetFloat64(v), true
	}
	return nil, false
}
