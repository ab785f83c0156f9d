package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var sortRules = []rule{
	{"a sort orders values of every type, entities without the property last, and paging neither repeats nor skips", sortKinds},
	{"texts outside the basic multilingual plane neither repeat nor skip, and equal keys are ordered by id", sortTexts},
	{"sorted lists of all edges, of a node's edges, and of the edges between two nodes are complete and ordered", sortAround},
}

func nodeNames(nodes []graph.Node) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i], _ = n.Properties["name"].(string)
	}
	return out
}

// walkSorted pages through a sorted query.
func (h Harness) walkSorted(t testing.TB, q graph.NodeQuery, limit int) []graph.Node {
	t.Helper()
	var all []graph.Node
	walk(t, limit, func(p graph.Paging) graph.Page[graph.Node] {
		q.Paging = p
		page, err := h.Nodes.Nodes(context.Background(), q)
		require.NoError(t, err)
		all = append(all, page.Items...)
		return page
	}, nodeIDs)
	return all
}

func sortKinds(t *testing.T, h Harness) {
	h.kinds(t)
	up := nodeNames(h.walkSorted(t, graph.NodeQuery{Type: "Kind", Sort: graph.Sort{{Property: "v"}}}, 1000))
	// Within a type, these orders are the database's.
	want := []string{
		"days", "texts", "flags", "empty", "integers", "bytes", "floats", "point", "point3", "instant", "zoned", "local", "day", "later", "time",
		"clock",
		"span", "digits", "upper", "text", "false", "true", "lowest", "zero", "int", "float", "big", "nan", "none",
	}
	// Lists come first in some order.
	lists := 7
	require.ElementsMatch(t, want[:lists], up[:lists])
	require.Equal(t, want[lists:], up[lists:])
	down := nodeNames(h.walkSorted(t, graph.NodeQuery{Type: "Kind", Sort: graph.Sort{{Property: "v", Descending: true}}}, 1000))
	require.Equal(t, "none", down[len(down)-1])
	slices.Reverse(down[:len(down)-1])
	require.Equal(t, up, down)
	h.checkSortedWalks(t)
	h.checkSortedDeletion(t)
}

func (h Harness) checkSortedWalks(t *testing.T) {
	t.Helper()
	h.kinds(t)
	h.Cypher(t, "CREATE ({v: 3}), ({v: 'x'}), ()", nil)
	for _, sort := range []graph.Sort{{{Property: "v", Descending: true}}, {{Property: "v"}, {Property: "name", Descending: true}}} {
		for _, typ := range []graph.TypeName{"", "Kind"} {
			whole := nodeIDs(h.walkSorted(t, graph.NodeQuery{Type: typ, Sort: sort}, 1000))
			require.ElementsMatch(t, h.wholeNodeList(t, string(typ)), whole)
			for _, limit := range []int{3, 13} {
				require.Equal(t, whole, h.walkNodes(t, graph.NodeQuery{Type: typ, Sort: sort}, limit), "%v, limit %d", sort, limit)
			}
			page, err := h.Nodes.Nodes(context.Background(),
				graph.NodeQuery{Type: typ, Sort: sort, Paging: graph.Paging{Limit: 5, Offset: 11, Count: true}})
			require.NoError(t, err)
			require.Equal(t, whole[11:16], nodeIDs(page.Items))
			require.EqualValues(t, len(whole), *page.Total)
		}
	}
	page, err := h.Nodes.Nodes(context.Background(),
		graph.NodeQuery{Type: "Nothing", Sort: graph.Sort{{Property: "v"}}, Paging: graph.Paging{Limit: 5, Count: true}})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.EqualValues(t, 0, *page.Total)
}

func sortTexts(t *testing.T, h Harness) {
	var texts []any
	for _, r := range []string{"a", "é", "\ud7ff", "\ue000", "\ufffd", "\uffff", "\U00010000", "\U0001F600", "\U0010ffff", "\x00", ""} {
		texts = append(texts, r, "a"+r, r+"a", "é"+r+"é")
	}
	h.Cypher(t, "UNWIND $texts AS text CREATE (:Text {v: text, l: [text]})", map[string]any{"texts": texts})
	h.checkTies(t)
	for _, property := range []string{"v", "l"} {
		for _, descending := range []bool{false, true} {
			sort := graph.Sort{{Property: property, Descending: descending}}
			whole := h.walkNodes(t, graph.NodeQuery{Type: "Text", Sort: sort}, 1000)
			require.ElementsMatch(t, h.wholeNodeList(t, "Text"), whole)
			require.Equal(t, whole, h.walkNodes(t, graph.NodeQuery{Type: "Text", Sort: sort}, 1), "%v", sort)
		}
	}
}

func (h Harness) checkTies(t *testing.T) {
	t.Helper()
	for i := range 12 {
		h.node(t, "Person", graph.Properties{"a": int64(i % 2), "b": fmt.Sprint(i % 3), "n": int64(i)})
	}
	got := h.walkSorted(t, graph.NodeQuery{Type: "Person", Sort: graph.Sort{{Property: "a", Descending: true}, {Property: "b"}}}, 5)
	require.Len(t, got, 12)
	require.True(t, slices.IsSortedFunc(got, func(x, y graph.Node) int {
		return cmp.Or(
			cmp.Compare(y.Properties["a"].(int64), x.Properties["a"].(int64)), cmp.Compare(x.Properties["b"].(string), y.Properties["b"].(string)),
			cmp.Compare(x.ID, y.ID),
		)
	}), "%v", got)
}

func sortAround(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	for i := range 9 {
		source, target := a.ID, b.ID
		switch i % 3 {
		case 1:
			source, target = b.ID, a.ID
		case 2:
			target = a.ID
		}
		h.edge(t, "KNOWS", source, target, graph.Properties{"n": int64(100 - i)})
	}
	sort := graph.Sort{{Property: "n"}}
	for _, q := range []graph.EdgeQuery{
		{NodeID: a.ID},
		{SourceID: a.ID},
		{TargetID: a.ID},
		{SourceID: a.ID, TargetID: b.ID},
		{SourceID: b.ID, Type: "KNOWS"},
		{TargetID: a.ID, Type: "OTHER"},
		{Of: &graph.Around{NodeID: a.ID, Direction: graph.Both}},
		{Of: &graph.Around{NodeID: a.ID, Direction: graph.In}},
	} {
		plain := h.walkEdges(t, q, 1000)
		q.Sort = sort
		whole := h.walkEdges(t, q, 1000)
		require.ElementsMatch(t, plain, whole)
		require.Equal(t, whole, h.walkEdges(t, q, 2))
		q.Paging = graph.Paging{Limit: 1000, Count: true}
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		require.EqualValues(t, len(whole), *page.Total)
		require.True(t, slices.IsSortedFunc(page.Items, func(x, y graph.Edge) int {
			return cmp.Compare(x.Properties["n"].(int64), y.Properties["n"].(int64))
		}), "%+v", q)
		q.Paging, q.Filter = graph.Paging{}, graph.Filter{{Property: "n", Operator: graph.Less, Value: int64(98)}}
		require.Less(t, len(h.walkEdges(t, q, 2)), max(1, len(whole)))
	}
}

// checkSortedDeletion: paging continues if the entity at the position is deleted.
func (h Harness) checkSortedDeletion(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	q := graph.NodeQuery{Type: "Kind", Sort: graph.Sort{{Property: "v"}}}
	whole := h.walkNodes(t, q, 1000)
	for cut := 3; cut < len(whole); cut += 7 {
		q.Paging = graph.Paging{Limit: cut}
		page, err := h.Nodes.Nodes(ctx, q)
		require.NoError(t, err)
		_, err = h.Nodes.DeleteNode(ctx, whole[cut-1], graph.Removal{})
		require.NoError(t, err)
		q.Paging = graph.Paging{Limit: 1000, After: page.Next}
		rest, err := h.Nodes.Nodes(ctx, q)
		require.NoError(t, err)
		require.Equal(t, whole[cut:], nodeIDs(rest.Items))
		whole = slices.Delete(whole, cut-1, cut)
	}
}
