package storetest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// sideRules are about filters and sorts of edges by properties of their ends.
var sideRules = []rule{
	{"a condition on an end finds the edges of the nodes that it finds, in every list, count and aggregate", sideFilter},
	{"a sort by an end is that of the nodes, in every list, and paging neither repeats nor skips", sideSort},
	{"a sort by an end and by the edge orders by one after the other, and equal keys by id", sideMixed},
	{"a property of edges that is named like one of an end is reached by its name", sideNames},
}

// spokes are edges from every node of kinds to a hub, and edges back. The lists are those of all spokes to the hub.
func (h Harness) spokes(t *testing.T) (lists map[string]graph.EdgeQuery) {
	t.Helper()
	h.kinds(t)
	hub := h.node(t, "City", graph.Properties{"name": "hub"}).ID
	h.Cypher(t, `MATCH (k:Kind), (hub:City) CREATE (k)-[:SPOKE {n: size(k.name) % 3}]->(hub), (hub)-[:BACK]->(k)`, nil)
	h.settle(t)
	return map[string]graph.EdgeQuery{
		"of a type": {Type: "SPOKE"}, "to a node": {TargetID: hub}, "into a node": {Of: &graph.Around{NodeID: hub, Direction: graph.In}},
		"of a type at a node": {Type: "SPOKE", NodeID: hub},
	}
}

// nameOf is the names of all nodes by their ids.
func (h Harness) nameOf(t *testing.T) func(id string) string {
	t.Helper()
	names := map[string]string{}
	for _, n := range h.walkSorted(t, graph.NodeQuery{}, 1000) {
		names[n.ID], _ = n.Properties["name"].(string)
	}
	return func(id string) string { return names[id] }
}

// sources pages through edges and returns the names of their sources.
func (h Harness) sources(t *testing.T, q graph.EdgeQuery, limit int, nameOf func(string) string) []string {
	t.Helper()
	found := []string{}
	ids := walk(t, limit, func(p graph.Paging) graph.Page[graph.Edge] {
		q.Paging = p
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		for _, e := range page.Items {
			found = append(found, nameOf(e.SourceID))
		}
		return page
	}, edgeIDs)
	slices.Sort(ids)
	require.Len(t, slices.Compact(ids), len(found))
	return found
}

func sideFilter(t *testing.T, h Harness) {
	lists := h.spokes(t)
	names := slices.Sorted(maps.Keys(lists))
	nameOf := h.nameOf(t)
	for i, c := range kindCases {
		at := func(side graph.Side) graph.Filter {
			return graph.Filter{{Side: side, Property: "v", Operator: c.operator, Value: c.value}}
		}
		want := expectedNames(c.finds)
		name := names[i%len(names)] // a list for each case, because the database plans every statement
		q := lists[name]
		q.Filter = at(graph.SourceSide)
		require.ElementsMatch(t, want, h.sources(t, q, 7, nameOf), "%s: %s %v", name, c.operator, c.value)
		q.Paging = graph.Paging{Limit: 1, Count: true}
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		require.EqualValues(t, len(want), *page.Total, "%s: %s %v", name, c.operator, c.value)
		counted, err := h.Aggregator.AggregateEdges(context.Background(), graph.EdgeAggregateQuery{
			Type: "BACK", Filter: at(graph.TargetSide), Aggregation: graph.Aggregation{Limit: 1},
		})
		require.NoError(t, err)
		require.EqualValues(t, len(want), counted.Groups[0].Count, "%s %v", c.operator, c.value)
	}
}

func sideSort(t *testing.T, h Harness) {
	lists := h.spokes(t)
	nameOf := h.nameOf(t)
	for _, descending := range []bool{false, true} {
		nodes := graph.NodeQuery{Type: "Kind", Sort: graph.Sort{{Property: "v", Descending: descending}, {Property: "name"}}}
		want := nodeNames(h.walkSorted(t, nodes, 1000))
		for name, q := range lists {
			q.Sort = graph.Sort{{Side: graph.SourceSide, Property: "v", Descending: descending}, {Side: graph.SourceSide, Property: "name"}}
			for _, limit := range []int{1000, 4} {
				require.Equal(t, want, h.sources(t, q, limit, nameOf), "%s, limit %d, descending %t", name, limit, descending)
			}
			q.Paging = graph.Paging{Limit: 5, Offset: 3, Count: true}
			page, err := h.Edges.Edges(context.Background(), q)
			require.NoError(t, err)
			require.EqualValues(t, len(want), *page.Total)
			for i, e := range page.Items {
				require.Equal(t, want[3+i], nameOf(e.SourceID), name)
			}
		}
		// Of all types, those whose source has no value come last.
		all := h.sources(t, graph.EdgeQuery{Sort: graph.Sort{{Side: graph.SourceSide, Property: "v", Descending: descending}}}, 9, nameOf)
		hasNone := func(name string) bool { return name == "hub" || name == "none" }
		first := slices.IndexFunc(all, hasNone)
		require.False(t, slices.ContainsFunc(all[first:], func(name string) bool { return !hasNone(name) }), "%v", all)
		require.Len(t, all[first:], len(want)+2)
	}
}

func sideMixed(t *testing.T, h Harness) {
	for i, name := range []string{"b", "a", "c"} {
		person, city := h.node(t, "Person", graph.Properties{"name": name}), h.node(t, "City", graph.Properties{"size": int64(i % 2)})
		for n := range 6 {
			h.edge(t, "KNOWS", person.ID, city.ID, graph.Properties{"n": int64(n / 2)})
		}
	}
	nameOf := h.nameOf(t)
	q := graph.EdgeQuery{Type: "KNOWS", Sort: graph.Sort{
		{Property: "n", Descending: true},
		{Side: graph.TargetSide, Property: "size"},
		{Side: graph.SourceSide, Property: "name", Descending: true},
	}}
	size := map[string]int{"b": 0, "a": 1, "c": 0}
	var all []graph.Edge
	walk(t, 4, func(p graph.Paging) graph.Page[graph.Edge] {
		q.Paging = p
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		all = append(all, page.Items...)
		return page
	}, edgeIDs)
	require.Len(t, all, 18)
	require.True(t, slices.IsSortedFunc(all, func(x, y graph.Edge) int {
		return cmp.Or(
			cmp.Compare(y.Properties["n"].(int64), x.Properties["n"].(int64)),
			cmp.Compare(size[nameOf(x.SourceID)], size[nameOf(y.SourceID)]),
			cmp.Compare(nameOf(y.SourceID), nameOf(x.SourceID)), cmp.Compare(x.ID, y.ID),
		)
	}), "%v", all)
}

func sideNames(t *testing.T, h Harness) {
	h.Cypher(t, "UNWIND range(0, 3) AS i CREATE (:Person {v: i})-[r:KNOWS]->(:Person) "+
		"SET r = {`source:v`: 3 - i, `source.v`: i, `edge:source:v`: i, `edge:v`: i}", nil)
	h.settle(t)
	values := func(q graph.EdgeQuery, property string) (found []any) {
		q.Type, q.Limit = "KNOWS", 10
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		for _, e := range page.Items {
			found = append(found, e.Properties[property])
		}
		return found
	}
	up, down := []any{int64(0), int64(1), int64(2), int64(3)}, []any{int64(3), int64(2), int64(1), int64(0)}
	for _, name := range []string{"source:v", "source.v", "edge:source:v", "edge:v"} {
		require.Equal(t, up, values(graph.EdgeQuery{Sort: graph.Sort{{Property: name}}}, name), name)
		one := graph.Filter{{Property: name, Operator: graph.Equal, Value: int64(1)}}
		require.Equal(t, up[1:2], values(graph.EdgeQuery{Filter: one}, name), name)
	}
	require.Equal(t, down, values(graph.EdgeQuery{Sort: graph.Sort{{Side: graph.SourceSide, Property: "v"}}}, "source:v"))
	at := graph.Filter{{Side: graph.SourceSide, Property: "v", Operator: graph.Equal, Value: int64(1)}}
	require.Equal(t, []any{int64(2)}, values(graph.EdgeQuery{Filter: at}, "source:v"))
}
