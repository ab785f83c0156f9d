package storetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// graphWithHoles creates some thousand nodes and edges whose types are mixed in the database's own order: one that has most of them, one
// that is sparse, one half of whose entities have ids, and nodes with two labels, in either order, or none. Then it deletes some.
func (h Harness) graphWithHoles(t testing.TB) {
	t.Helper()
	first := h.node(t, "Half", nil)
	h.edge(t, "HALF", first.ID, first.ID, nil)
	h.Cypher(t, `UNWIND range(1, 1500) AS i
		CREATE (n {n: i})
		FOREACH (x IN CASE WHEN i % 3 > 0 THEN [1] ELSE [] END | SET n:Dense)
		FOREACH (x IN CASE WHEN i % 10 < 2 THEN [1] ELSE [] END | SET n:Also)
		FOREACH (x IN CASE WHEN i % 50 = 3 THEN [1] ELSE [] END | SET n:Sparse)
		FOREACH (x IN CASE WHEN i % 6 = 0 THEN [1] ELSE [] END | SET n:Half)
		FOREACH (x IN CASE WHEN i % 12 = 0 THEN [1] ELSE [] END | SET n[$id] = 'id ' + i)`, map[string]any{"id": h.IDProperty})
	h.Cypher(t, `MATCH (a) WHERE a.n IS NOT NULL MATCH (b {n: 1 + a.n * 7 % 1500})
		FOREACH (x IN CASE WHEN a.n % 3 > 0 THEN [1] ELSE [] END | CREATE (a)-[:DENSE {n: a.n}]->(b))
		FOREACH (x IN CASE WHEN a.n % 50 = 3 THEN [1] ELSE [] END | CREATE (a)-[:SPARSE {n: a.n}]->(b))
		FOREACH (x IN CASE WHEN a.n % 6 = 0 THEN [1] ELSE [] END | CREATE (a)-[:HALF {n: a.n}]->(b))`, nil)
	h.Cypher(t, "MATCH ()-[r:HALF]->() WHERE r.n % 12 = 0 SET r[$id] = 'id ' + r.n", map[string]any{"id": h.IDProperty})
	h.Cypher(t, "MATCH (n) WHERE 300 < n.n < 420 OR n.n % 17 = 0 OR n.n > 1450 DETACH DELETE n", nil)
	h.settle(t)
}

func listsWithHoles(t *testing.T, h Harness) {
	h.graphWithHoles(t)
	sizes := []int{23, 100, 1000}
	for _, typ := range []string{"", "Dense", "Also", "Sparse", "Half"} {
		want := h.wholeNodeList(t, typ)
		for _, size := range sizes {
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: graph.TypeName(typ)}, size), "%q by %d", typ, size)
		}
	}
	for _, typ := range []string{"", "DENSE", "SPARSE", "HALF"} {
		want := h.wholeEdgeList(t, func(e edgeRow) bool { return typ == "" || e.typ == typ })
		for _, size := range sizes {
			require.Equal(t, want, h.walkEdges(t, graph.EdgeQuery{Type: graph.TypeName(typ)}, size), "%q by %d", typ, size)
		}
	}
	few := graph.Filter{{Property: "n", Operator: graph.Greater, Value: int64(1200)}}
	var want []string
	met := map[string]bool{}
	for _, row := range h.Cypher(t, "MATCH (n:Dense) WHERE n.n > 1200 RETURN elementId(n) AS e", nil) {
		met[row["e"].(string)] = true
	}
	for _, id := range h.wholeNodeList(t, "Dense") {
		if met[id] {
			want = append(want, id)
		}
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: "Dense", Filter: few}, 23))
	h.farOffsets(t)
	h.changeDuringWalk(t)
}

// farOffsets compares pages at large offsets with the whole list, without and with internal data among the skipped entities.
func (h Harness) farOffsets(t *testing.T) {
	t.Helper()
	h.Cypher(t, "UNWIND range(1, 2100) AS i CREATE (n:Far {n: i})-[:FAR]->(n)", nil)
	for range 2 {
		nodes := h.wholeNodeList(t, "Far")
		edges := h.wholeEdgeList(t, func(e edgeRow) bool { return e.typ == "FAR" })
		for _, offset := range []int{2000, 2050, 2100, 2200} {
			p := graph.Paging{Limit: 40, Offset: int64(offset)}
			want := func(all []string) []string { return all[min(offset, len(all)):min(offset+40, len(all))] }
			nodePage, err := h.Nodes.Nodes(t.Context(), graph.NodeQuery{Type: "Far", Paging: p})
			require.NoError(t, err)
			require.Equal(t, want(nodes), nodeIDs(nodePage.Items), "offset %d", offset)
			edgePage, err := h.Edges.Edges(t.Context(), graph.EdgeQuery{Type: "FAR", Paging: p})
			require.NoError(t, err)
			require.Equal(t, want(edges), edgeIDs(edgePage.Items), "offset %d", offset)
		}
		h.Cypher(t, "MATCH (n:Far) WHERE n.n % 20 = 0 SET n:_GraphrestFar", nil)
	}
}

// changeDuringWalk deletes the entity at a cursor, and creates entities behind the end, where freed element ids may be reused: entities
// that exist all the time are listed once.
func (h Harness) changeDuringWalk(t *testing.T) {
	t.Helper()
	before := h.wholeNodeList(t, "Dense")
	page, err := h.Nodes.Nodes(t.Context(), graph.NodeQuery{Type: "Dense", Paging: graph.Paging{Limit: 30}})
	require.NoError(t, err)
	walked := nodeIDs(page.Items)
	h.Cypher(t, "MATCH (n) WHERE elementId(n) IN $gone DETACH DELETE n", map[string]any{"gone": []string{walked[29], before[35]}})
	h.Cypher(t, "UNWIND range(1, 50) AS i CREATE (:Dense {n: -i})", nil)
	for page.Next != nil {
		page, err = h.Nodes.Nodes(t.Context(), graph.NodeQuery{Type: "Dense", Paging: graph.Paging{Limit: 30, After: page.Next}})
		require.NoError(t, err)
		walked = append(walked, nodeIDs(page.Items)...)
	}
	stayed := slices.DeleteFunc(before, func(id string) bool { return id == walked[29] || !slices.Contains(walked, id) })
	after := h.wholeNodeList(t, "Dense")
	for _, id := range before {
		if slices.Contains(after, id) {
			require.Contains(t, stayed, id, "skipped")
		}
	}
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(walked))), len(walked), "repeated")
}
