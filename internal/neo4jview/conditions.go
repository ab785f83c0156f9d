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
	case c.Operator == graph.ContainsFold && len(unevenLetters(c)) > 0:
		return "icontains_uneven"
	case c.Operator.IsOrder() && graph.IsLarge(c.Value):
		return string(inclusive(c.Operator)) + "_large"
	case c.IndexDiffers():
		return string(c.Operator) + "_unindexed"
	default:
		return string(c.Operator)
	}
}

// Literal is the parameter of a condition's literal, in the form that the operator of Operator needs.
func Literal(c graph.Condition) any {
	switch {
	case c.Operator == graph.OneOf || c.Operator == graph.NoneOf:
		list, _ := c.Value.([]graph.Value)
		out := make([]any, len(list))
		for i, v := range list { // the values may be of different kinds
			out[i] = bolt.ToDriver(v)
		}
		return out
	case c.Operator == graph.ContainsFold:
		return foldedLiteral(c)
	case c.Operator.IsOrder() && graph.IsLarge(c.Value):
		return map[string]any{"integer": integerBound(c), "float": floatBound(c)}
	default:
		return bolt.ToDriver(c.Value)
	}
}

func unevenLetters(c graph.Condition) [][2]string {
	text, _ := c.Value.(string)
	return graph.UnevenLetters(graph.FoldCase(text))
}

func foldedLiteral(c graph.Condition) any {
	text, _ := c.Value.(string)
	folded := graph.FoldCase(text)
	var letters []any
	for _, pair := range graph.UnevenLetters(folded) {
		letters = append(letters, []any{pair[0], pair[1]})
	}
	if letters == nil {
		return folded
	}
	return map[string]any{"text": folded, "letters": letters}
}

// inclusive is the operator that also finds the literal.
func inclusive(o graph.Operator) graph.Operator {
	if o == graph.Less || o == graph.LessEqual {
		return graph.LessEqual
	}
	return graph.GreaterEqual
}

// integerBound is the last integer that meets a condition on the order of numbers, as do all before it; nil if none does.
func integerBound(c graph.Condition) any {
	at := func(position uint64) int64 { // in the direction of the condition
		if inclusive(c.Operator) == graph.GreaterEqual {
			position = ^position
		}
		return int64(position ^ 1<<63)
	}
	if !c.IsMetBy(at(0)) {
		return nil
	}
	last := uint64(0)
	for bit := uint64(1) << 63; bit > 0; bit >>= 1 {
		if c.IsMetBy(at(last | bit)) {
			last |= bit
		}
	}
	return at(last)
}

// floatBound is the last float that meets a condition on the order of numbers. It is the literal or a float beside it.
func floatBound(c graph.Condition) float64 {
	bound, isFloat := c.Value.(float64)
	if !isFloat {
		n, _ := c.Value.(int64)
		bound = float64(n)
	}
	within := math.Inf(-1)
	if inclusive(c.Operator) == graph.GreaterEqual {
		within = math.Inf(1)
	}
	bound = math.Nextafter(bound, -within)
	for !c.IsMetBy(bound) {
		bound = math.Nextafter(bound, within)
	}
	return bound
}
