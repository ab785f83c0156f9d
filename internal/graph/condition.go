package graph

import (
	"slices"
	"strings"
)

// IsMetBy reports whether a value of the property meets the condition, nil for an absent property: what the same condition finds in the
// database. A value of another kind than the operator's or the literal's does not meet it; it is "not equal" to the literal.
func (c Condition) IsMetBy(v Value) bool {
	if c.Operator == Exists {
		return (v != nil) == (c.Value == true)
	}
	if v == nil {
		return false
	}
	switch c.Operator {
	case Equal:
		return EqualInCypher(v, c.Value)
	case NotEqual:
		return !EqualInCypher(v, c.Value)
	case OneOf, NoneOf:
		list, _ := c.Value.([]Value)
		return isOneOf(v, list) == (c.Operator == OneOf)
	case Less, LessEqual, Greater, GreaterEqual:
		return c.Operator.isMetByOrder(CompareInCypher(v, c.Value))
	case Has:
		elements, _ := ElementsInCypher(v)
		return isOneOf(c.Value, elements)
	default:
		return c.Operator.isMetByText(v, c.Value)
	}
}

func isOneOf(v Value, list []Value) bool {
	return slices.ContainsFunc(list, func(e Value) bool { return EqualInCypher(v, e) })
}

// IsOrder reports whether the operator compares values by their order.
func (o Operator) IsOrder() bool {
	return o == Less || o == LessEqual || o == Greater || o == GreaterEqual
}

func (o Operator) isMetByOrder(order int, ordered bool) bool {
	switch {
	case !ordered:
		return false
	case o == Less:
		return order < 0
	case o == LessEqual:
		return order <= 0
	case o == Greater:
		return order > 0
	default:
		return order >= 0
	}
}

func (o Operator) isMetByText(v, literal Value) bool {
	text, isText := v.(string)
	part, partIsText := literal.(string)
	if !isText || !partIsText {
		return false
	}
	switch o {
	case Contains:
		return strings.Contains(text, part)
	case ContainsFold:
		return strings.Contains(FoldCase(text), FoldCase(part))
	case StartsWith:
		return strings.HasPrefix(text, part)
	case EndsWith:
		return strings.HasSuffix(text, part)
	default:
		return false
	}
}

// ComparesNumber reports whether a condition compares a property with a number, which may be equal to one of another kind.
func (f Filter) ComparesNumber(property string) bool {
	return slices.ContainsFunc(f, func(c Condition) bool {
		list, _ := c.Value.([]Value)
		return c.Property == property && (isNumber(c.Value) || slices.ContainsFunc(list, isNumber))
	})
}

func isNumber(v Value) bool {
	switch v.(type) {
	case int64, float64:
		return true
	default:
		return false
	}
}

// IndexDiffers reports whether a range index may find other entities by a condition than meet it. Such a condition must not be served by
// one.
func (c Condition) IndexDiffers() bool {
	switch c.Operator {
	case Equal:
		return indexDiffers(c.Value)
	case OneOf:
		list, _ := c.Value.([]Value)
		return slices.ContainsFunc(list, func(v Value) bool { return IsZero(v) || indexDiffers(v) })
	default:
		text, isText := c.Value.(string)
		return c.Operator.IsOrder() && (isText && OrderDependsOnUnits(text) || IsLarge(c.Value))
	}
}

// indexDiffers reports whether a range index may hold other values equal to v than EqualInCypher: it compares lists by identity, and large
// numbers otherwise, and date-times by their instant.
func indexDiffers(v Value) bool {
	if d, isDateTime := v.(DateTime); isDateTime {
		return d.isRepeated()
	}
	_, isList := ElementsInCypher(v)
	return isList || IsLarge(v)
}
