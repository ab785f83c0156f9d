package neo4jview

import (
	"math"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// Operator is the operator of a condition in Cypher.
func Operator(c graph.Condition) string {
	switch {
	case c.Operator == graph.Exists && c.Value == false:
		return "absent"
	case c.Operator == graph.Equal && graph.IsZero(c.Value):
		return "zero"
	case c.OrdersByUnits():
		return string(c.Operator) + "_units"
	default:
		return string(c.Operator)
	}
}

// Literal is the parameter of a condition's literal. A range index treats the two zeros as two values, -0.0 as the lesser, while they
// are equal everywhere else: so the literal is the zero that has the other one on the correct side.
func Literal(c graph.Condition) any {
	switch c.Operator {
	case graph.OneOf, graph.NoneOf:
		list, _ := c.Value.([]graph.Value)
		out := make([]any, len(list))
		for i, v := range list { // the values may be of different kinds
			out[i] = bolt.ToDriver(v)
		}
		return out
	case graph.Less, graph.GreaterEqual:
		if graph.IsZero(c.Value) {
			return math.Copysign(0, -1)
		}
	case graph.Greater, graph.LessEqual:
		if graph.IsZero(c.Value) {
			return 0.0
		}
	}
	return bolt.ToDriver(c.Value)
}
