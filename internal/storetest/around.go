package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var aroundRules = []rule{
	{"degree, neighbors and shortest paths match the graph, and a node that does not exist is NOT_FOUND", aroundLattice},
	{"the neighbors of a node with very many edges are truncated at max_degree and limit, and marked as truncated", aroundSupernode},
	{"degree, neighbors and paths exclude internal data", aroundInternal},
	{"the edges among nodes are those with both ends there, each once; a node that does not exist is ignored", edgesAmong},
	{"the edges among nodes are truncated at limit, and marked as truncated", edgesAmongTruncated},
}

func aroundLattice(t *testing.T, h Harness) {
	ids := h.lattice(t)
	h.checkNeighbors(t, ids)
	h.checkDegree(t, ids)
	h.checkPaths(t, ids)
	h.checkMissingEnds(t, ids["a"])
}

// lattice creates a -> b -> c -> d, a -> x -> d, parallel edges a -> b, a loop at a, and returns ids by name.
func (h Harness) lattice(t testing.TB) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d"} {
		ids[name] = h.node(t, "Place", graph.Properties{"name": name}).ID
	}
	ids["x"] = h.node(t, "Port", graph.Properties{"name": "x"}).ID
	ids["alone"] = h.node(t, "Place", graph.Properties{"name": "alone"}).ID
	for _, e := range [][4]string{
		{"ab", "ROAD", "a", "b"},
		{"ab2", "ROAD", "a", "b"},
		{"bc", "ROAD", "b", "c"},
		{"cd", "ROAD", "c", "d"},
		{"ax", "SHIP", "a", "x"},
		{"xd", "SHIP", "x", "d"},
		{"aa", "ROAD", "a", "a"},
	} {
		ids[e[0]] = h.edge(t, graph.TypeName(e[1]), ids[e[2]], ids[e[3]], graph.Properties{"name": e[0]}).ID
	}
	return ids
}

// checkDegree: edges are counted by type, direction and the type at the other end, self-loops once in total.
func (h Harness) checkDegree(t *testing.T, ids map[string]string) {
	t.Helper()
	ctx := context.Background()
	h.Cypher(t, "MATCH (n {name: 'a'}) CREATE (n)<-[:ROAD]-()", nil)
	d, err := h.Explorer.Degree(ctx, ids["a"])
	require.NoError(t, err)
	require.Equal(t, graph.Degree{ID: ids["a"], Total: 5, Out: 4, In: 2, Counts: []graph.DegreeCount{
		{EdgeType: "ROAD", Direction: graph.Out, NodeType: "Place", Count: 3},
		{EdgeType: "SHIP", Direction: graph.Out, NodeType: "Port", Count: 1},
		{EdgeType: "ROAD", Direction: graph.In, Count: 1},
		{EdgeType: "ROAD", Direction: graph.In, NodeType: "Place", Count: 1},
	}}, d)
	d, err = h.Explorer.Degree(ctx, ids["alone"])
	require.NoError(t, err)
	require.Equal(t, graph.Degree{ID: ids["alone"], Counts: []graph.DegreeCount{}}, d)
	element := h.element(t, "MATCH (n {name: 'b'}) RETURN elementId(n)", nil)
	d, err = h.Explorer.Degree(ctx, element)
	require.NoError(t, err)
	require.Equal(t, ids["b"], d.ID)
	require.EqualValues(t, 3, d.Total)
}

// entityNames returns the sorted names of a subgraph's entities, after checking that the subgraph is consistent.
func entityNames(t testing.TB, g graph.Subgraph) (nodes, edges []string) {
	t.Helper()
	there := map[string]bool{}
	nodes, edges = []string{}, []string{}
	for _, n := range g.Nodes {
		require.False(t, there[n.ID], "each node once")
		there[n.ID] = true
		name, _ := n.Properties["name"].(string)
		nodes = append(nodes, name)
	}
	for _, e := range g.Edges {
		require.False(t, there[e.ID], "each edge once")
		there[e.ID] = true
		require.True(t, there[e.SourceID] && there[e.TargetID], "both ends are there")
		name, _ := e.Properties["name"].(string)
		edges = append(edges, name)
	}
	for _, path := range g.Paths {
		for _, id := range path {
			require.True(t, there[id])
		}
	}
	slices.Sort(nodes)
	slices.Sort(edges)
	return nodes, edges
}

// checkNeighbors: neighbors are found by distance, in the requested direction and of the requested types, with the edges between them.
func (h Harness) checkNeighbors(t *testing.T, ids map[string]string) {
	t.Helper()
	for _, c := range []struct {
		from         string
		direction    graph.Direction
		edge, node   graph.TypeName
		depth        int
		nodes, edges []string
	}{
		{"a", graph.Both, "", "", 1, []string{"a", "b", "x"}, []string{"aa", "ab", "ab2", "ax"}},
		{"a", graph.Out, "ROAD", "", 1, []string{"a", "b"}, []string{"aa", "ab", "ab2"}},
		{"a", graph.In, "", "", 1, []string{"a"}, []string{"aa"}},
		{"d", graph.In, "", "", 1, []string{"c", "d", "x"}, []string{"cd", "xd"}},
		{"d", graph.In, "", "", 2, []string{"a", "b", "c", "d", "x"}, []string{"ax", "bc", "cd", "xd"}},
		{"b", graph.Both, "", "Place", 2, []string{"a", "b", "c", "d"}, []string{"aa", "ab", "ab2", "bc", "cd"}},
		{"a", graph.Out, "", "Port", 3, []string{"a", "x"}, []string{"ax"}},
		{"a", graph.Out, "ROAD", "", 3, []string{"a", "b", "c", "d"}, []string{"aa", "ab", "ab2", "bc", "cd"}},
		{"a", graph.Both, "NOTHING", "", 3, []string{"a"}, []string{}},
		{"a", graph.Both, "", "Nothing", 3, []string{"a"}, []string{}},
		{"alone", graph.Both, "", "", 3, []string{"alone"}, []string{}},
	} {
		q := graph.NeighborQuery{
			NodeID: ids[c.from], Direction: c.direction, EdgeType: c.edge, NodeType: c.node, Depth: c.depth, Limit: 100, MaxDegree: 100,
		}
		g, err := h.Explorer.Neighbors(context.Background(), q)
		require.NoError(t, err)
		nodes, edges := entityNames(t, g)
		require.Equal(t, c.nodes, nodes, "%+v", q)
		require.Equal(t, c.edges, edges, "%+v", q)
		require.Equal(t, ids[c.from], g.Nodes[0].ID, "the node asked for comes first")
		require.False(t, g.Truncated)
		require.Empty(t, g.Paths)
	}
}

func aroundSupernode(t *testing.T, h Harness) {
	ctx := context.Background()
	hub := h.node(t, "Port", nil)
	h.Cypher(t, "MATCH (n:Port) UNWIND range(1, 3000) AS i CREATE (n)-[:SPOKE]->(:Rim {i: i})", nil)
	h.Cypher(t, "MATCH (n:Port) CREATE (n)<-[:SPOKE]-(:Start {name: 'start'})", nil)
	for _, c := range []struct{ limit, degree, nodes int }{{10, 1000, 11}, {1000, 25, 26}, {1000, 10000, 1001}} {
		q := graph.NeighborQuery{NodeID: hub.ID, Direction: graph.Out, Depth: 1, Limit: c.limit, MaxDegree: c.degree}
		g, err := h.Explorer.Neighbors(ctx, q)
		require.NoError(t, err)
		require.True(t, g.Truncated)
		require.Len(t, g.Nodes, c.nodes)
		require.Len(t, g.Edges, c.nodes-1)
		entityNames(t, g)
	}
	start := h.element(t, "MATCH (n:Start) RETURN elementId(n)", nil)
	g, err := h.Explorer.Neighbors(ctx, graph.NeighborQuery{NodeID: start, Direction: graph.Both, Depth: 3, Limit: 50, MaxDegree: 40})
	require.NoError(t, err)
	require.True(t, g.Truncated)
	require.LessOrEqual(t, len(g.Nodes), 43)
	g, err = h.Explorer.Neighbors(ctx, graph.NeighborQuery{NodeID: start, Direction: graph.Both, Depth: 1, Limit: 1, MaxDegree: 1})
	require.NoError(t, err)
	require.False(t, g.Truncated, "exactly as many as asked for")
	require.Len(t, g.Nodes, 2)
}

// checkPaths: the shortest path is found, or all of them, as alternating ids of nodes and edges.
func (h Harness) checkPaths(t *testing.T, ids map[string]string) {
	t.Helper()
	path := func(names ...string) []string {
		out := make([]string, len(names))
		for i, name := range names {
			out[i] = ids[name]
		}
		return out
	}
	for _, c := range []struct {
		from, to  string
		edge      graph.TypeName
		direction graph.Direction
		depth     int
		all       bool
		paths     [][]string
	}{
		{"a", "d", "", graph.Out, 6, true, [][]string{path("a", "ax", "x", "xd", "d")}},
		{"a", "d", "", graph.Both, 2, false, [][]string{path("a", "ax", "x", "xd", "d")}},
		{"d", "a", "", graph.In, 6, true, [][]string{path("d", "xd", "x", "ax", "a")}},
		{"d", "a", "", graph.Out, 6, true, nil},
		{"a", "d", "", graph.Out, 1, true, nil},
		{"a", "c", "ROAD", graph.Out, 6, true, [][]string{path("a", "ab", "b", "bc", "c"), path("a", "ab2", "b", "bc", "c")}},
		{"c", "a", "ROAD", graph.In, 2, true, [][]string{path("c", "bc", "b", "ab", "a"), path("c", "bc", "b", "ab2", "a")}},
		{"a", "d", "NOTHING", graph.Both, 6, true, nil},
		{"a", "a", "", graph.Both, 6, true, [][]string{path("a")}},
		{"a", "alone", "", graph.Both, 12, true, nil},
	} {
		q := graph.PathQuery{SourceID: ids[c.from], TargetID: ids[c.to], EdgeType: c.edge, Direction: c.direction, MaxDepth: c.depth, All: c.all}
		g, err := h.Explorer.Paths(context.Background(), q)
		require.NoError(t, err)
		require.ElementsMatch(t, c.paths, g.Paths, "%+v", q)
		require.False(t, g.Truncated)
		entityNames(t, g)
		if c.paths == nil {
			require.Empty(t, g.Nodes)
		}
	}
	g, err := h.Explorer.Paths(context.Background(),
		graph.PathQuery{SourceID: ids["a"], TargetID: ids["c"], Direction: graph.Out, MaxDepth: 3})
	require.NoError(t, err)
	require.Len(t, g.Paths, 1, "one of them")
	h.Cypher(t, "MATCH (a {name: 'a'}), (d {name: 'd'}) UNWIND range(1, 120) AS i CREATE (a)-[:AIR]->(d)", nil)
	g, err = h.Explorer.Paths(context.Background(),
		graph.PathQuery{SourceID: ids["a"], TargetID: ids["d"], Direction: graph.Both, MaxDepth: 3, All: true})
	require.NoError(t, err)
	require.Len(t, g.Paths, graph.MaxPaths)
	require.True(t, g.Truncated)
}

func aroundInternal(t *testing.T, h Harness) {
	ctx := context.Background()
	person, secret, _ := h.internalGraph(t)
	far := h.node(t, "Person", graph.Properties{"name": "far"})
	h.Cypher(t, `MATCH (p:Person {name: 'Ann'}), (f:Person {name: 'far'}), (s:_GraphrestSecret), (l:_GRAPHRESTLoud)
		CREATE (p)-[:BRIDGE]->(s)-[:BRIDGE]->(f), (p)-[:_graphrestBRIDGE]->(f), (p)-[:BRIDGE]->(l)-[:BRIDGE]->(f)`, nil)
	d, err := h.Explorer.Degree(ctx, person.ID)
	require.NoError(t, err)
	require.Equal(t, graph.Degree{ID: person.ID, Total: 1, Out: 1, In: 1, Counts: []graph.DegreeCount{
		{EdgeType: "KNOWS", Direction: graph.Out, NodeType: "Person", Count: 1},
		{EdgeType: "KNOWS", Direction: graph.In, NodeType: "Person", Count: 1},
	}}, d)
	for _, direction := range []graph.Direction{graph.Both, graph.Out, graph.In} {
		g, err := h.Explorer.Neighbors(ctx, graph.NeighborQuery{NodeID: person.ID, Direction: direction, Depth: 3, Limit: 100, MaxDegree: 100})
		require.NoError(t, err)
		require.Equal(t, []string{person.ID}, nodeIDs(g.Nodes))
		require.Len(t, g.Edges, 1)
		g, err = h.Explorer.Paths(ctx, graph.PathQuery{SourceID: person.ID, TargetID: far.ID, Direction: direction, MaxDepth: 6, All: true})
		require.NoError(t, err)
		require.Empty(t, g.Paths, "internal data bridges nothing")
	}
	h.checkPathsAroundInternal(t, person.ID, far.ID)
	for _, id := range secret {
		_, err := h.Explorer.Degree(ctx, id)
		requireCode(t, fault.NotFound, err)
		_, err = h.Explorer.Neighbors(ctx, graph.NeighborQuery{NodeID: id, Direction: graph.Both, Depth: 1, Limit: 1, MaxDegree: 1})
		requireCode(t, fault.NotFound, err)
		_, err = h.Explorer.Paths(ctx, graph.PathQuery{SourceID: person.ID, TargetID: id, Direction: graph.Both, MaxDepth: 1})
		requireCode(t, fault.NotFound, err)
	}
}

// checkPathsAroundInternal: between two nodes with shorter connections through internal data, also through an internal node with a second
// label, the visible paths are found, one and all.
func (h Harness) checkPathsAroundInternal(t *testing.T, from, to string) {
	t.Helper()
	h.Cypher(t, `MATCH (p:Person {name: 'Ann'}), (f:Person {name: 'far'})
		CREATE (p)-[:BRIDGE]->(:Person:_GraphrestHidden)-[:BRIDGE]->(f), (p)-[:BRIDGE]->(m:Person {name: 'detour'}), (m)-[:_graphrestBRIDGE]->(f)
		CREATE (m)-[:BRIDGE]->(:Person {name: 'left'})-[:BRIDGE]->(f), (m)-[:BRIDGE]->(:Person {name: 'right'})-[:BRIDGE]->(f)`, nil)
	for _, c := range []struct {
		edgeType graph.TypeName
		all      bool
		paths    int
	}{{"", false, 1}, {"", true, 2}, {"BRIDGE", false, 1}, {"BRIDGE", true, 2}} {
		for _, direction := range []graph.Direction{graph.Both, graph.Out} {
			q := graph.PathQuery{SourceID: from, TargetID: to, EdgeType: c.edgeType, Direction: direction, MaxDepth: 6, All: c.all}
			g, err := h.Explorer.Paths(context.Background(), q)
			require.NoError(t, err)
			require.Len(t, g.Paths, c.paths, "%+v", q)
			require.Len(t, g.Paths[0], 7)
			entityNames(t, g)
			q.SourceID, q.TargetID, q.MaxDepth = to, from, 2
			g, err = h.Explorer.Paths(context.Background(), q)
			require.NoError(t, err)
			require.Empty(t, g.Paths, "%+v", q)
		}
	}
}

func (h Harness) checkMissingEnds(t *testing.T, somewhere string) {
	t.Helper()
	ctx := context.Background()
	for _, id := range []string{"nothing", "01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"} {
		_, err := h.Explorer.Degree(ctx, id)
		requireCode(t, fault.NotFound, err)
		_, err = h.Explorer.Neighbors(ctx, graph.NeighborQuery{NodeID: id, Direction: graph.Both, Depth: 1, Limit: 1, MaxDegree: 1})
		requireCode(t, fault.NotFound, err)
		for field, q := range map[string]graph.PathQuery{
			"source_id": {SourceID: id, TargetID: somewhere}, "target_id": {SourceID: somewhere, TargetID: id},
		} {
			q.Direction, q.MaxDepth = graph.Both, 3
			_, err = h.Explorer.Paths(ctx, q)
			requireCode(t, fault.NotFound, err)
			require.Equal(t, field, fault.As(err).Details[0].Field)
		}
	}
}
