package neo4jview_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// The text of a predicate is short and the same for all views with many conditions of the same keys and operators, so that the database
// plans it once.
func TestManyConditionsAreNoText(t *testing.T) {
	predicate := func(grants, conditions int, value string) neo4jview.Predicate {
		role := rules.Role{Name: "r", Grants: []rules.Grant{{Kind: graph.EdgeKind, Type: rules.AnyType, Actions: []rules.Action{rules.Read}}}}
		for g := range grants {
			grant := rules.Grant{Kind: graph.NodeKind, Type: fmt.Sprintf("T%d", g), Actions: []rules.Action{rules.Read}}
			for c := range conditions {
				condition := graph.Condition{Property: fmt.Sprintf("p%d", c), Operator: graph.Equal, Value: fmt.Sprint(value, g, c)}
				grant.Where = append(grant.Where, rules.Condition{Condition: condition})
			}
			role.Grants = append(role.Grants, grant)
		}
		ctx := rules.WithView(t.Context(), rules.NewView(rules.User{ID: "1"}, nil, []rules.Role{role}))
		return neo4jview.PredicateOf(ctx, graph.EdgeKind)
	}
	few, many := predicate(2, 10, "a"), predicate(100, 10, "b")
	require.Equal(t, few.Text("").String(), many.Text("").String())
	require.Less(t, len(many.Text("").String()), 10_000)
	require.Less(t, len(predicate(2, 250, "c").Text("").String()), 1_000, "many keys are no text either")
	require.NotContains(t, many.With(map[string]any{})["view"], "v0")
	require.Len(t, many.With(map[string]any{})["view"].(map[string]any)["s0"], 100)
	require.Contains(t, predicate(2, 8, "a").With(map[string]any{})["view"], "v15", "an index may serve few conditions")
}
