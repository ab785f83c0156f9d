package cypher_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
)

// The planner multiplies out AND within OR, unless it is often enough.
func TestAlternativesStayApart(t *testing.T) {
	is := func(number int, operator, property string) cypher.Condition {
		return cypher.Condition{Any: number, Operator: operator, Key: cypher.Quote(property)}
	}
	text := cypher.Where(cypher.NodeVariable, []cypher.Condition{
		is(2, "gte", "a"), is(0, "eq", "b"), is(2, "lt", "a"), is(1, "eq", "c"), is(3, cypher.Omitted, "d"),
	}).String()
	want := "n.`b` = $where.v1 AND ((n.`c` = $where.v3) OR (n.`a` >= $where.v0 AND n.`a` < $where.v2)"
	require.Equal(t, want+strings.Repeat(" OR (false AND false)", 9)+")", text)
	text = cypher.Where(cypher.NodeVariable, []cypher.Condition{is(1, "zero", "a"), is(2, "eq", "b")}).String()
	require.Contains(t, text, "((n.`a` >= -0.0 AND n.`a` <= 0.0) OR (n.`b` = $where.v1) OR (false AND false)")
	text = cypher.Where(cypher.NodeVariable, []cypher.Condition{is(1, "eq", "a"), is(2, "eq", "b")}).String()
	require.Equal(t, "((n.`a` = $where.v0) OR (n.`b` = $where.v1))", text)
	guarded := is(1, "eq", "a")
	guarded.Shown = cypher.True
	text = cypher.Where(cypher.NodeVariable, []cypher.Condition{guarded, is(1, "lt", "b")}).String()
	require.Equal(t, "((CASE WHEN true THEN n.`a` = $where.v0 ELSE false END AND n.`b` < $where.v1))", text)
}
