package graph

import (
	"fmt"
	"slices"
	"strings"

	"graphrest/internal/fault"
)

// Filter is what must hold of an entity for a list to show it: every condition. The zero value holds of all.
type Filter []Condition

// Condition is one condition on one property. An entity without the property meets none but "exists" with false. A value of
// another kind than the operator or the literal is about is no match, never an error; it is "not equal" to the literal.
type Condition struct {
	Property string
	Operator Operator
	// Value is the literal: bool for Exists, string for the operators on text, []Value with values of any kinds for OneOf and
	// NoneOf, a value as it may be stored for all others.
	Value Value
	// Field is the parameter it came with, for faults.
	Field string
}

// Operator says how a property is held against a literal.
type Operator string

// Operators. The order operators are about numbers, texts, booleans and points in time; numbers compare whatever their type,
// times as points in time.
const (
	Equal        Operator = "eq"
	NotEqual     Operator = "ne"
	Less         Operator = "lt"
	LessEqual    Operator = "lte"
	Greater      Operator = "gt"
	GreaterEqual Operator = "gte"
	OneOf        Operator = "in"
	NoneOf       Operator = "nin"
	Exists       Operator = "exists"
	Contains     Operator = "contains"
	ContainsFold Operator = "icontains" // letters of either case are the same
	StartsWith   Operator = "starts_with"
	EndsWith     Operator = "ends_with"
	Has          Operator = "has" // the property is a list and the literal one of its members
)

// Operators are all operators, in the order they are documented.
var Operators = []Operator{
	Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, OneOf, NoneOf, Exists, Contains, ContainsFold, StartsWith, EndsWith, Has,
}

// Literals reads the literals of filters. A type is a name such as "date", which says what the text must be read as; with an
// empty type the text says it by itself. The faults name the field given.
type Literals interface {
	// One reads a single value. It never gives nil.
	One(field, typ, text string) (Value, *fault.Error)
	// Many reads several values: texts apart by commas, or a JSON array.
	Many(field, typ, text string) ([]Value, *fault.Error)
}

const filterPrefix = "filter["

// IsFilter says whether a query parameter means to be a condition.
func IsFilter(name string) bool { return strings.HasPrefix(name, filterPrefix) }

// ParseCondition reads a query parameter:
//
//	filter[<property>]=<literal>                      the same as eq
//	filter[<property>][<operator>]=<literal>
//	filter[<property>][<operator>:<type>]=<literal>   the literal is read as that type
//
// The last pair of brackets is the operator, so a property whose own name ends in such brackets needs one. Faults name field.
func ParseCondition(field, name, text string, literals Literals) (Condition, *fault.Error) {
	c := Condition{Operator: Equal, Field: field}
	inner, closed := strings.CutSuffix(strings.TrimPrefix(name, filterPrefix), "]")
	if !IsFilter(name) || !closed {
		return c, fault.Invalid(field, "must be written filter[property][operator]")
	}
	c.Property = inner
	typ := ""
	if at := strings.LastIndex(inner, "]["); at >= 0 {
		operator, forced, isForced := strings.Cut(inner[at+2:], ":")
		if isForced && forced == "" {
			return c, fault.Invalid(field, "must name a type behind the colon")
		}
		c.Property, c.Operator, typ = inner[:at], Operator(operator), forced
	}
	if f := checkPropertyName(field, c.Property); f != nil {
		return c, f
	}
	var f *fault.Error
	c.Value, f = c.Operator.parseLiteral(field, typ, text, literals)
	return c, f
}

// parseLiteral reads what an operator is given.
func (o Operator) parseLiteral(field, typ, text string, literals Literals) (Value, *fault.Error) {
	switch o {
	case Equal, NotEqual:
		return literals.One(field, typ, text)
	case Less, LessEqual, Greater, GreaterEqual:
		v, f := literals.One(field, typ, text)
		if f == nil && !kindOf(v).isOrdered() {
			f = fault.Invalid(field, "must be a number, a text, a boolean or a time: nothing else has an order")
		}
		return v, f
	case OneOf, NoneOf:
		list, f := literals.Many(field, typ, text)
		if f == nil && len(list) > MaxMembers {
			f = fault.Invalid(field, "must have at most %d values", MaxMembers)
		}
		return list, f
	case Exists:
		if (text != "true" && text != "false") || (typ != "" && typ != "boolean") {
			return nil, fault.Invalid(field, "must be true or false")
		}
		return text == "true", nil
	case Contains, ContainsFold, StartsWith, EndsWith:
		if typ != "" && typ != "string" {
			return nil, fault.Invalid(field, "is about text only")
		}
		return text, nil
	case Has:
		v, f := literals.One(field, typ, text)
		if k := kindOf(v); f == nil && (k == kindList || k == kindBytes) {
			f = fault.Invalid(field, "must be what a list can hold: neither a list nor a byte array")
		}
		return v, f
	}
	return nil, fault.Invalid(field, "must have one of the operators %s", operatorNames())
}

func operatorNames() string {
	names := make([]string, len(Operators))
	for i, o := range Operators {
		names[i] = string(o)
	}
	return strings.Join(names, ", ")
}

// ordered says whether values of a kind can be put in order by a condition. Durations cannot: whether a month is more than 30
// days depends on the month.
func (k kind) isOrdered() bool {
	switch k {
	case kindBool, kindInteger, kindFloat, kindString, kindDate, kindLocalTime, kindOffsetTime, kindLocalDateTime, kindDateTime:
		return true
	default:
		return false
	}
}

// CheckFilter says what is wrong with a filter as a whole.
func CheckFilter(f Filter) *fault.Error {
	if len(f) > MaxConditions {
		return fault.Invalid("filter", "must be at most %d conditions", MaxConditions)
	}
	return nil
}

// Fingerprint is the same for the same conditions, in whatever order, and the same sort, and for no others.
func Fingerprint(f Filter, s Sort) string {
	conditions := make([]string, len(f))
	for i, c := range f {
		var b strings.Builder
		fmt.Fprintf(&b, "%q %s ", c.Property, c.Operator)
		printValue(&b, c.Value)
		conditions[i] = b.String()
	}
	slices.Sort(conditions)
	var b strings.Builder
	for _, c := range conditions {
		b.WriteString(c)
	}
	for _, k := range s {
		fmt.Fprintf(&b, "%q %t\n", k.Property, k.Descending)
	}
	return b.String()
}

// printValue tells values apart that print alike, such as 1 and 1.0.
func printValue(b *strings.Builder, v Value) {
	list, isList := v.([]Value)
	if !isList {
		fmt.Fprintf(b, "%T %#v\n", v, v)
		return
	}
	fmt.Fprintf(b, "list of %d\n", len(list))
	for _, e := range list {
		printValue(b, e)
	}
}
