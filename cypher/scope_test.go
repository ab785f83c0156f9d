package cypher_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
)

// Each operator in the text of a condition on data costs the planner time, wherever a statement tests an entity.
func TestScopesAsDataHaveTheOperatorsAndKeysThatOccur(t *testing.T) {
	scope := cypher.Scope{Data: &cypher.ScopeData{Length: 1}}
	for _, key := range []string{"b", "a", "b"} {
		scope.Conditions = append(scope.Conditions, cypher.Condition{Operator: "eq", Key: cypher.Quote(key)})
	}
	text := cypher.InScopes(cypher.NodeEntity, []cypher.Scope{scope}).String()
	require.Equal(t, 1, strings.Count(text, " WHEN "), text)
	require.Contains(t, text, "{ `a`: n.`a`, `b`: n.`b` }")
	scope.Conditions, scope.Types = nil, []string{"A"}
	require.NotContains(t, cypher.InScopes(cypher.NodeEntity, []cypher.Scope{scope}).String(), "CASE", "no condition at all")
}
