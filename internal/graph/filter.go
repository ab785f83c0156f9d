package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"graphrest/internal/fault"
)

// Filter is a conjunction: a list contains an entity only if it meets every condition; of conditions that belong to alternatives, those of
// one alternative. The zero value matches every entity.
type Filter []Condition

// Condition is one condition on one property: in a filter of the listed entity or of an end of a listed edge, in a grant of the entity that
// the grant is about (rules.Condition). An entity without the property meets only "exists" with false. A value whose kind differs from that
// of the operator or the literal does not match and is never an error; it is "not equal" to the literal.
type Condition struct {
	Side     Side // empty for a property of the entity itself; always in a grant
	Property string
	Operator Operator
	// Value is the literal: bool for Exists, string for the operators on text, []Value with values of any kinds for OneOf and
	// NoneOf, any storable value for all others.
	Value Value
	// Any is the number of the alternative in a filter that the condition belongs to, from 1 on; 0 if it must hold in any case, as in a grant.
	Any int
	// Field is where the condition was written; faults name it: the query parameter of a filter, or the JSON path of a grant's condition.
	Field string
}

// Operator defines how a property is compared with a literal.
type Operator string

// Operators. The order operators compare numbers, texts, booleans and points in time. Integers and floats compare by their numeric value,
// times as points in time; the rest is in comparison.go.
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
	ContainsFold Operator = "icontains" // ignores the case of letters
	StartsWith   Operator = "starts_with"
	EndsWith     Operator = "ends_with"
	Has          Operator = "has" // the property is a list that contains the literal
)

// Operators are all operators, of filters and of the conditions of grants, in the order they are documented. Each has its test in
// cypher/filter.go, and for grants in condition.go.
var Operators = []Operator{
	Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, OneOf, NoneOf, Exists, Contains, ContainsFold, StartsWith, EndsWith, Has,
}

// Literals parses the literals of filters. A type is a name such as "date", as which the text must be parsed; with an empty type the
// form of the text decides. Faults name the given field.
type Literals interface {
	// One parses a single value. It never returns a nil value without a fault.
	One(field, typ, text string) (Value, *fault.Error)
	// Many parses several values: texts separated by commas, or a JSON array.
	Many(field, typ, text string) ([]Value, *fault.Error)
}

const (
	filterPrefix = "filter["
	anyPrefix    = "any["
)

// IsFilter reports whether the name of a query parameter starts like a condition.
func IsFilter(name string) bool {
	return strings.HasPrefix(name, filterPrefix) || strings.HasPrefix(name, anyPrefix)
}

// ParseCondition parses a query parameter:
//
//	filter[<property>]=<literal>                      the same as eq
//	filter[<property>][<operator>]=<literal>
//	filter[<property>][<operator>:<type>]=<literal>   the literal is parsed as that type
//	any[<number>][<property>]...=<literal>            the same, of the alternative with that number
//
// The last pair of brackets contains the operator, so a property whose name ends in brackets needs an explicit operator. Faults name field.
func ParseCondition(field, name, text string, literals Literals) (Condition, *fault.Error) {
	return parseCondition(field, name, text, literals, ownProperty)
}

// ParseEdgeCondition is ParseCondition for edges: the property may be one of an end, source:<property> or target:<property>. A property of
// the edge whose name begins so is written edge:source:<rest>.
func ParseEdgeCondition(field, name, text string, literals Literals) (Condition, *fault.Error) {
	return parseCondition(field, name, text, literals, parseSide)
}

// parseName checks the name of a property in a filter or sort.
type parseName func(field, name string) (Side, string, *fault.Error)

func parseCondition(field, name, text string, literals Literals, parse parseName) (Condition, *fault.Error) {
	c := Condition{Operator: Equal, Field: field}
	inner, closed := strings.CutSuffix(strings.TrimPrefix(name, filterPrefix), "]")
	if alternative, isAny := strings.CutPrefix(name, anyPrefix); isAny {
		number, condition, isSplit := strings.Cut(alternative, "][")
		inner, closed = strings.CutSuffix(condition, "]")
		c.Any, _ = strconv.Atoi(number)
		if !isSplit || !closed || c.Any < 1 || c.Any > MaxConditions || strconv.Itoa(c.Any) != number {
			return c, fault.Invalid(field, "must be written any[number][property][operator], with the number of the alternative from 1 to %d, "+
				"such as any[1][born][lt]", MaxConditions)
		}
	}
	if !IsFilter(name) || !closed {
		return c, fault.Invalid(field, "must be written filter[property][operator]")
	}
	property, typ := inner, ""
	if at := strings.LastIndex(inner, "]["); at >= 0 {
		operator, forced, isForced := strings.Cut(inner[at+2:], ":")
		if isForced && forced == "" {
			return c, fault.Invalid(field, "must name a type behind the colon")
		}
		property, c.Operator, typ = inner[:at], Operator(operator), forced
	}
	var f *fault.Error
	if c.Side, c.Property, f = parse(field, property); f != nil {
		return c, f
	}
	c.Value, f = c.Operator.parseLiteral(field, typ, text, literals)
	return c, f
}

// parseLiteral parses the literal of an operator.
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
	return nil, fault.Invalid(field, "must have one of the operators %s", OperatorNames())
}

// OperatorNames lists the operators for messages.
func OperatorNames() string {
	names := make([]string, len(Operators))
	for i, o := range Operators {
		names[i] = string(o)
	}
	return strings.Join(names, ", ")
}

// CheckLiteral rejects a literal that the operator cannot have, as ParseCondition does.
func (o Operator) CheckLiteral(field string, v Value) *fault.Error {
	if v == nil {
		return fault.Invalid(field, "must not be null")
	}
	list, isList := v.([]Value)
	_, isText := v.(string)
	_, isBool := v.(bool)
	switch o {
	case Less, LessEqual, Greater, GreaterEqual:
		if !kindOf(v).isOrdered() {
			return fault.Invalid(field, "must be a number, a text, a boolean or a time: nothing else has an order")
		}
	case OneOf, NoneOf:
		if !isList || len(list) == 0 || len(list) > MaxMembers {
			return fault.Invalid(field, "must be an array of 1 to %d values", MaxMembers)
		}
	case Exists:
		if !isBool {
			return fault.Invalid(field, "must be true or false")
		}
	case Contains, ContainsFold, StartsWith, EndsWith:
		if !isText {
			return fault.Invalid(field, "must be a text")
		}
	case Has:
		if k := kindOf(v); k == kindList || k == kindBytes {
			return fault.Invalid(field, "must be what a list can hold: neither a list nor a byte array")
		}
	}
	return nil
}

// isOrdered reports whether a condition can compare values of this kind by order. Durations have no order: whether a month is longer than
// 30 days depends on the month.
func (k valueKind) isOrdered() bool {
	switch k {
	case kindBool, kindInteger, kindFloat, kindString, kindDate, kindLocalTime, kindOffsetTime, kindLocalDateTime, kindDateTime:
		return true
	default:
		return false
	}
}

// CheckFilter rejects a filter with more than MaxConditions conditions, those of all alternatives included.
func CheckFilter(f Filter) *fault.Error {
	switch {
	case len(f) <= MaxConditions:
		return nil
	case slices.ContainsFunc(f, func(c Condition) bool { return c.Any != 0 }):
		return fault.Invalid("any", "must be at most %d conditions, together with those of filter", MaxConditions)
	default:
		return fault.Invalid("filter", "must be at most %d conditions", MaxConditions)
	}
}

// Fingerprint returns equal texts for equal sets of conditions (in any order) with equal sorts, and different texts otherwise.
func Fingerprint(f Filter, s Sort) string {
	conditions := make([]string, len(f))
	for i, c := range f {
		var b strings.Builder
		fmt.Fprintf(&b, "%d %s%q %s ", c.Any, c.Side, c.Property, c.Operator)
		printValue(&b, c.Value)
		conditions[i] = b.String()
	}
	slices.Sort(conditions)
	var b strings.Builder
	for _, c := range conditions {
		b.WriteString(c)
	}
	for _, k := range s {
		fmt.Fprintf(&b, "%s%q %t\n", k.Side, k.Property, k.Descending)
	}
	return b.String()
}

// printValue writes a value with its Go type, so that values that print alike, such as 1 and 1.0, differ.
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

// IsZero reports whether a value is the number zero, of either sign.
func IsZero(v Value) bool { return v == int64(0) || v == 0.0 }
