package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// A list that is sorted by what nobody may see is in the order of ids, also where the type is not that of the ids.
func TestListsSortedByHiddenPropertiesAreInTheOrderOfIDs(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newViewedGraph(t)
	rapid.Check(t, func(r *rapid.T) {
		hiding := rules.Grant{Kind: graph.NodeKind, Actions: []rules.Action{rules.Read}, Hidden: []string{"owner"}}
		hiding.Type = rapid.SampledFrom([]string{"Person", "Staff", rules.AnyType}).Draw(r, "granted")
		vg.view = viewOf(rules.Role{Name: "r", Grants: []rules.Grant{hiding}})
		q := graph.NodeQuery{Type: graph.TypeName(rapid.SampledFrom([]string{"", "Person", "Staff", "City"}).Draw(r, "listed"))}
		q.Sort = graph.Sort{{Property: "owner"}}
		q.Limit = 100
		page, err := vg.store.Nodes(rules.WithView(t.Context(), vg.view), q)
		require.NoError(r, err)
		shown := func(_ graph.Side, n graph.Node) graph.Properties { return n.Properties }
		requireOrder(r, q.Sort, page.Items, shown, func(n graph.Node) string { return n.ID })
	})
}
