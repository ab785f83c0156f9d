package cypher

import (
	"fmt"
	"strconv"
	"strings"
)

// Condition is one condition on one property of an entity. Its property key is the parameter $where.k<n> and its literal
// $where.v<n>, n being its place. Where there is an index on the property, Key names it in the text, so that the planner can
// use the index.
type Condition struct {
	Operator string // as in the service's own filters: eq, ne, lt, ...; absent; and zero, which is eq with one
	Key      Name   // empty for $where.k<n>
}

// True is a condition that always holds.
var True = Name{"true"}

// Where is the text of all conditions on the entity that a variable stands for. A condition on a value of another kind, or on
// none, is not true; it never is an error. An unknown operator is a programming error and panics.
func Where(variable string, conditions []Condition) Name {
	if len(conditions) == 0 {
		return True
	}
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		n := strconv.Itoa(i)
		property := variable + "[$where.k" + n + "]"
		if c.Key != (Name{}) {
			property = variable + "." + c.Key.quoted
		}
		texts[i] = c.text(property, "$where.v"+n)
	}
	return Name{strings.Join(texts, " AND ")}
}

// operators are those that Cypher has under another name. They give null where the kinds do not match.
var operators = map[string]string{
	"eq": "=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "in": "IN",
	"contains": "CONTAINS", "starts_with": "STARTS WITH", "ends_with": "ENDS WITH",
}

func (c Condition) text(property, value string) string {
	if operator, plain := operators[c.Operator]; plain {
		return property + " " + operator + " " + value
	}
	switch c.Operator {
	case "ne": // what is not equal, or cannot be compared
		return property + " IS NOT NULL AND NOT coalesce(" + property + " = " + value + ", false)"
	case "nin":
		return property + " IS NOT NULL AND NOT coalesce(" + property + " IN " + value + ", false)"
	case "exists":
		return property + " IS NOT NULL"
	case "absent":
		return property + " IS NULL"
	case "zero": // two values to a range index, with nothing between them
		return property + " >= -0.0 AND " + property + " <= 0.0"
	case "icontains": // toLower refuses what is no text
		return "CASE WHEN " + property + " IS :: STRING NOT NULL THEN toLower(" + property + ") CONTAINS toLower(" + value + ") ELSE false END"
	case "has": // IN refuses what is no list
		return "CASE WHEN " + property + " IS :: LIST<ANY> NOT NULL THEN " + value + " IN " + property + " ELSE false END"
	}
	panic(fmt.Sprintf("cypher: unknown operator %q", c.Operator))
}
