package neo4jstore_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestWalksShowWhatAViewAllows compares degrees, neighbors, paths and exports with walks over the visible part of the graph in memory.
func TestWalksShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newViewedGraph(t)
	checkRules(t, func(r *rapid.T) {
		vg.view = drawView(r)
		ctx := rules.WithView(t.Context(), vg.view)
		questions := []func(context.Context, *rapid.T){vg.checkDegree, vg.checkNeighbors, vg.checkPath, vg.checkExport, vg.checkAmong}
		rapid.SampledFrom(questions).Draw(r, "question")(ctx, r)
	})
}

func (vg *viewedGraph) visibleEdges() []graph.Edge {
	var visible []graph.Edge
	for _, id := range sortedIDs(vg.edges) {
		if e, seen := vg.edge(id); seen {
			visible = append(visible, e)
		}
	}
	return visible
}

func (vg *viewedGraph) checkDegree(ctx context.Context, r *rapid.T) {
	id := rapid.SampledFrom(sortedIDs(vg.nodes)).Draw(r, "node")
	d, err := vg.store.Walks.Degree(ctx, id)
	if _, seen := vg.node(id); !seen {
		require.Equal(r, fault.NotFound, fault.CodeOf(err))
		return
	}
	require.NoError(r, err)
	var out, in int64
	for _, e := range vg.visibleEdges() {
		if e.SourceID == id {
			out++
		}
		if e.TargetID == id {
			in++
		}
	}
	require.Equal(r, []int64{out, in}, []int64{d.Out, d.In})
}

// around returns the nodes by their distance from one, up to a depth.
func (vg *viewedGraph) around(id string, depth int) map[string]int {
	distance := map[string]int{id: 0}
	edges := vg.visibleEdges()
	for step := 1; step <= depth; step++ {
		for _, e := range edges {
			for _, pair := range [][2]string{{e.SourceID, e.TargetID}, {e.TargetID, e.SourceID}} {
				if at, known := distance[pair[0]]; known && at == step-1 {
					if _, seen := distance[pair[1]]; !seen {
						distance[pair[1]] = step
					}
				}
			}
		}
	}
	return distance
}

func (vg *viewedGraph) checkNeighbors(ctx context.Context, r *rapid.T) {
	id := rapid.SampledFrom(sortedIDs(vg.nodes)).Draw(r, "node")
	found, err := vg.store.Walks.Neighbors(ctx, graph.NeighborQuery{NodeID: id, Direction: graph.Both, Depth: 2, Limit: 500, MaxDegree: 500})
	if _, seen := vg.node(id); !seen {
		require.Equal(r, fault.NotFound, fault.CodeOf(err))
		return
	}
	require.NoError(r, err)
	vg.requireVisible(r, found)
	var got []string
	for _, n := range found.Nodes {
		got = append(got, n.ID)
	}
	slices.Sort(got)
	require.Equal(r, sortedIDs(vg.around(id, 2)), got)
}

func (vg *viewedGraph) requireVisible(r *rapid.T, g graph.Subgraph) {
	for _, n := range g.Nodes {
		want, seen := vg.node(n.ID)
		require.True(r, seen)
		require.Equal(r, want, n)
	}
	for _, e := range g.Edges {
		want, seen := vg.edge(e.ID)
		require.True(r, seen)
		require.Equal(r, want, e)
	}
}

func (vg *viewedGraph) checkPath(ctx context.Context, r *rapid.T) {
	ids := sortedIDs(vg.nodes)
	from, to := rapid.SampledFrom(ids).Draw(r, "from"), rapid.SampledFrom(ids).Draw(r, "to")
	q := graph.PathQuery{SourceID: from, TargetID: to, Direction: graph.Both, MaxDepth: 5, All: rapid.Bool().Draw(r, "all")}
	found, err := vg.store.Walks.Paths(ctx, q)
	_, sees := vg.node(from)
	if _, seesTo := vg.node(to); !sees || !seesTo {
		require.Equal(r, fault.NotFound, fault.CodeOf(err))
		return
	}
	require.NoError(r, err)
	vg.requireVisible(r, found)
	length, connected := vg.around(from, 5)[to]
	require.Equal(r, connected, len(found.Paths) > 0)
	for _, path := range found.Paths {
		require.Len(r, path, 2*length+1)
	}
}

func (vg *viewedGraph) checkAmong(ctx context.Context, r *rapid.T) {
	shown := rapid.SliceOfN(rapid.SampledFrom(sortedIDs(vg.nodes)), 1, 60).Draw(r, "shown")
	q := graph.AmongQuery{NodeIDs: shown, Limit: 500}
	if rapid.Bool().Draw(r, "of types") {
		q.Types = rapid.SliceOfNDistinct(rapid.SampledFrom([]graph.TypeName{"KNOWS", "ROAD"}), 1, 2, rapid.ID).Draw(r, "types")
	}
	found, err := vg.store.Walks.Among(ctx, q)
	require.NoError(r, err)
	want, got := map[string]graph.Edge{}, map[string]graph.Edge{}
	for _, e := range vg.visibleEdges() {
		ofType := q.Types == nil || slices.Contains(q.Types, graph.TypeName(e.Type))
		if ofType && slices.Contains(shown, e.SourceID) && slices.Contains(shown, e.TargetID) {
			want[e.ID] = e
		}
	}
	for _, e := range found.Edges {
		got[e.ID] = e
	}
	require.Len(r, found.Edges, len(got), "each once")
	require.Equal(r, want, got)
}

func (vg *viewedGraph) checkExport(ctx context.Context, r *rapid.T) {
	nodes, edges := map[string]graph.Node{}, map[string]graph.Edge{}
	require.NoError(r, vg.store.Bulk.Export(ctx, graph.ExportQuery{}, graph.Receiver{
		Types: func(names []string) error {
			visible, all := vg.view.Names(rules.Read, graph.NodeKind)
			for _, name := range names {
				require.True(r, all || slices.Contains(visible, name), name)
			}
			return nil
		},
		Node: func(n *graph.Node) error { nodes[n.ID] = *n; return nil },
		Edge: func(e *graph.Edge) error { edges[e.ID] = *e; return nil },
	}))
	wantNodes, wantEdges := map[string]graph.Node{}, map[string]graph.Edge{}
	for id := range vg.nodes {
		if n, seen := vg.node(id); seen {
			wantNodes[id] = n
		}
	}
	for _, e := range vg.visibleEdges() {
		wantEdges[e.ID] = e
	}
	require.Equal(r, wantNodes, nodes)
	require.Equal(r, wantEdges, edges)
}
