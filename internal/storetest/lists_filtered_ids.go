package storetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// managedCrowd creates some thousand nodes and edges of two managed types: most have ids, in another order than the database's own, and
// some are internal. A third of the nodes have another label first.
func (h Harness) managedCrowd(t testing.TB) {
	t.Helper()
	h.manageNodes(t, "Person")
	h.manageEdges(t, "KNOWS")
	h.Cypher(t, `UNWIND range(1, 2600) AS i
		CREATE (n {half: i % 2, few: i % 400})
		FOREACH (x IN CASE WHEN i % 3 = 0 THEN [1] ELSE [] END | SET n:Animal)
		SET n:Person
		CREATE (n)-[r:KNOWS {half: i % 2, few: i % 400}]->(n)
		WITH n, r, i, 'id ' + (10000 + i * 7919 % 2600) AS id
		FOREACH (x IN CASE WHEN i % 13 > 2 THEN [1] ELSE [] END | SET n[$id] = id, r[$id] = id)
		FOREACH (x IN CASE WHEN i % 50 = 7 THEN [1] ELSE [] END | SET n:_GraphrestCrowd)`, map[string]any{"id": h.IDProperty})
	h.settle(t)
}

// listsFilteredByID compares filtered pages with the whole lists: of filters that many entities of a large managed type meet, few, and
// none; then again when few of its entities have ids.
func listsFilteredByID(t *testing.T, h Harness) {
	h.managedCrowd(t)
	many := graph.Condition{Property: "half", Operator: graph.Equal, Value: int64(1)}
	few := graph.Condition{Property: "few", Operator: graph.Equal, Value: int64(9)}
	none := graph.Condition{Property: "few", Operator: graph.Equal, Value: int64(-1)}
	for _, c := range []graph.Condition{many, few, none} {
		h.checkFiltered(t, c, 40, 1000)
	}
	h.Cypher(t, "MATCH (n:Person) WHERE n.few > 30 REMOVE n[$id] WITH n MATCH (n)-[r]->() REMOVE r[$id]", map[string]any{"id": h.IDProperty})
	h.settle(t)
	// The store does not know this name yet when it reads the first pages.
	h.Cypher(t, "MATCH (n:Person) WHERE n.few % 10 = 7 SET n:_GraphrestCrowdLater", nil)
	edges := h.walkEdges(t, graph.EdgeQuery{Type: "KNOWS", Filter: graph.Filter{many}}, 30)
	nodes := h.walkNodes(t, graph.NodeQuery{Type: "Person", Filter: graph.Filter{many}}, 30)
	h.checkFiltered(t, many, 100)
	require.Equal(t, h.walkEdges(t, graph.EdgeQuery{Type: "KNOWS", Filter: graph.Filter{many}}, 100), edges)
	require.Equal(t, h.walkNodes(t, graph.NodeQuery{Type: "Person", Filter: graph.Filter{many}}, 100), nodes)
	h.checkFiltered(t, few, 100)
}

func (h Harness) checkFiltered(t *testing.T, c graph.Condition, sizes ...int) {
	t.Helper()
	params := map[string]any{"key": c.Property, "value": c.Value, "id": h.IDProperty}
	nodes := h.meets(t, "MATCH (e) WHERE e[$key] = $value UNWIND [elementId(e), e[$id]] AS id RETURN id", params)
	edges := h.meets(t, "MATCH ()-[e:KNOWS]->() WHERE e[$key] = $value UNWIND [elementId(e), e[$id]] AS id RETURN id", params)
	wantNodes, wantAll := nodes(h.wholeNodeList(t, "Person")), nodes(h.wholeNodeList(t, ""))
	wantEdges := edges(h.wholeEdgeList(t, func(e edgeRow) bool { return e.typ == "KNOWS" }))
	f := graph.Filter{c}
	for _, size := range sizes {
		require.Equal(t, wantNodes, h.walkNodes(t, graph.NodeQuery{Type: "Person", Filter: f}, size), "%v", c)
		require.Equal(t, wantAll, h.walkNodes(t, graph.NodeQuery{Filter: f}, size), "all, %v", c)
		require.Equal(t, wantEdges, h.walkEdges(t, graph.EdgeQuery{Type: "KNOWS", Filter: f}, size), "%v", c)
	}
	p := graph.Paging{Limit: 40, Offset: 3, Count: true}
	page, err := h.Nodes.Nodes(t.Context(), graph.NodeQuery{Type: "Person", Filter: f, Paging: p})
	require.NoError(t, err)
	require.EqualValues(t, len(wantNodes), *page.Total)
	require.Equal(t, wantNodes[min(3, len(wantNodes)):min(43, len(wantNodes))], nodeIDs(page.Items), "%v from an offset", c)
}

// meets returns a function that keeps those ids of a list that a statement finds.
func (h Harness) meets(t testing.TB, query string, params map[string]any) func(ids []string) []string {
	t.Helper()
	found := map[string]bool{}
	for _, row := range h.Cypher(t, query, params) {
		if id, ok := row["id"].(string); ok {
			found[id] = true
		}
	}
	return func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !found[id] })
	}
}
