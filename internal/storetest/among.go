package storetest

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func edgesAmong(t *testing.T, h Harness) {
	ids := h.lattice(t)
	h.Cypher(t, "MATCH (a {name: 'a'}), (b {name: 'b'}) CREATE (a)-[:_GraphrestSecret]->(b), "+
		"(a)-[:ROAD]->(:_GraphrestUser {name: 'u'})-[:ROAD]->(b)", nil)
	internal := h.element(t, "MATCH (n {name: 'u'}) RETURN elementId(n)", nil)
	element := h.element(t, "MATCH (n {name: 'x'}) RETURN elementId(n)", nil)
	missing, err := graph.NewID("Place")
	require.NoError(t, err)
	for _, c := range []struct {
		nodes []string
		types []graph.TypeName
		want  []string
	}{
		{[]string{ids["a"], ids["b"]}, nil, []string{"aa", "ab", "ab2"}},
		{[]string{ids["b"], ids["a"], ids["a"]}, nil, []string{"aa", "ab", "ab2"}},
		{[]string{ids["a"]}, nil, []string{"aa"}},
		{[]string{ids["b"], ids["d"]}, nil, nil},
		{[]string{ids["a"], element, ids["x"], ids["d"], "nothing", missing, internal}, nil, []string{"aa", "ax", "xd"}},
		{[]string{ids["a"], ids["b"], ids["c"], ids["d"], ids["x"], ids["alone"]}, nil, []string{"aa", "ab", "ab2", "ax", "bc", "cd", "xd"}},
		{[]string{ids["a"], ids["b"], ids["x"]}, []graph.TypeName{"SHIP"}, []string{"ax"}},
		{[]string{ids["a"], ids["b"], ids["x"]}, []graph.TypeName{"SHIP", "NOTHING", "ROAD"}, []string{"aa", "ab", "ab2", "ax"}},
		{[]string{ids["a"], ids["b"]}, []graph.TypeName{"NOTHING"}, nil},
		{[]string{"nothing"}, nil, nil},
	} {
		found, err := h.Explorer.Among(context.Background(), graph.AmongQuery{NodeIDs: c.nodes, Types: c.types, Limit: 100})
		require.NoError(t, err)
		require.False(t, found.Truncated)
		var names []string
		for _, e := range found.Edges {
			name, _ := e.Properties["name"].(string)
			require.Equal(t, ids[name], e.ID)
			read, err := h.Edges.Edge(context.Background(), e.ID)
			require.NoError(t, err)
			require.Equal(t, read, e, "as in a read")
			names = append(names, name)
		}
		require.True(t, slices.IsSortedFunc(found.Edges, func(a, b graph.Edge) int {
			return slices.Compare([]string{a.Type, a.ID}, []string{b.Type, b.ID})
		}))
		slices.Sort(names)
		require.Equal(t, c.want, names, "%v of %v", c.types, c.nodes)
	}
}

// edgesAmongTruncated: of a star with a loop at its center.
func edgesAmongTruncated(t *testing.T, h Harness) {
	center := h.node(t, "Place", nil).ID
	nodes := []string{center}
	h.edge(t, "ROAD", center, center, nil)
	for i := range 5 {
		leaf := h.node(t, "Place", graph.Properties{"name": strconv.Itoa(i)}).ID
		nodes = append(nodes, leaf)
		h.edge(t, "ROAD", leaf, center, nil)
	}
	for limit, want := range map[int]int{1: 1, 5: 5, 6: 6, 7: 6} {
		found, err := h.Explorer.Among(context.Background(), graph.AmongQuery{NodeIDs: nodes, Limit: limit})
		require.NoError(t, err)
		require.Len(t, found.Edges, want)
		require.Equal(t, limit < 6, found.Truncated)
	}
}
