package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var pagingRules = []rule{
	{"paging continues if the entity at the position, and those around it, are deleted", pagingSurvivesDeletion},
	{"paging returns every entity that stays exactly once while others are created and deleted", pagingWhileWriting},
	{"paging neither repeats nor skips entities if the type becomes managed between pages", pagingBecomesManaged},
	{"a malformed position, or one of another query, is a VALIDATION_ERROR about the cursor", pagingForeignPosition},
	{"the exact total is returned on request, and always on a single page", pagingTotals},
}

func pagingSurvivesDeletion(t *testing.T, h Harness) {
	ctx := context.Background()
	h.mixedGraph(t)
	whole := h.walkNodes(t, graph.NodeQuery{}, 1000)
	for cut := 5; cut < len(whole); cut += 23 {
		page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: cut}})
		require.NoError(t, err)
		require.NotNil(t, page.Next)
		for _, id := range whole[cut-2 : cut] {
			_, err := h.Nodes.DeleteNode(ctx, id, graph.Removal{})
			require.NoError(t, err)
		}
		rest, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 1000, After: page.Next}})
		require.NoError(t, err)
		require.Equal(t, whole[cut:], nodeIDs(rest.Items), "after %d", cut)
		whole = append(append([]string{}, whole[:cut-2]...), whole[cut:]...)
	}
	h.Cypher(t, "MATCH (n:Person) DETACH DELETE n", nil)
	page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 1}})
	require.NoError(t, err)
	h.Cypher(t, "MATCH (n:Doc) DETACH DELETE n", nil)
	rest, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 1000, After: page.Next}})
	require.NoError(t, err)
	require.Equal(t, h.wholeNodeList(t, ""), nodeIDs(rest.Items), "the whole type of the position is gone")
}

func pagingWhileWriting(t *testing.T, h Harness) {
	ctx := context.Background()
	stay := map[string]int{}
	for range 60 {
		stay[h.node(t, "Person", nil).ID] = 0
	}
	var at graph.Position
	for {
		page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: "Person", Paging: graph.Paging{Limit: 7, After: at}})
		require.NoError(t, err)
		for _, n := range page.Items {
			if _, ok := stay[n.ID]; ok {
				stay[n.ID]++
			}
		}
		if page.Next == nil {
			break
		}
		at = page.Next
		if len(stay) > 0 && h.one(t, "MATCH (n:Person) RETURN count(n)", nil).(int64) < 75 {
			h.node(t, "Person", nil)
		}
		h.Cypher(t, "CREATE (n:Person {passing: true})", nil)
	}
	for id, seen := range stay {
		require.Equal(t, 1, seen, id)
	}
}

func pagingBecomesManaged(t *testing.T, h Harness) {
	ctx := context.Background()
	h.Cypher(t, `UNWIND range(1, 30) AS i CREATE (n:Later {n: i}) SET n[$id] = CASE WHEN i % 2 = 0 THEN 'own-' + i END`,
		map[string]any{"id": h.IDProperty})
	h.Cypher(t, `MATCH (n:Later) WHERE n.n % 5 = 0 CREATE (n)-[r:NEXT]->(n) SET r[$id] = CASE WHEN n.n % 2 = 0 THEN 'edge-' + n.n END`,
		map[string]any{"id": h.IDProperty})
	elements := h.walkNodes(t, graph.NodeQuery{Type: "Later"}, 1000)
	first, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	edges := h.walkEdges(t, graph.EdgeQuery{}, 1000)
	firstEdges, err := h.Edges.Edges(ctx, graph.EdgeQuery{Paging: graph.Paging{Limit: 2}})
	require.NoError(t, err)
	h.Cypher(t, "CREATE CONSTRAINT later_id FOR (n:Later) REQUIRE n.`"+h.IDProperty+"` IS UNIQUE", nil)
	h.Cypher(t, "CREATE CONSTRAINT next_id FOR ()-[r:NEXT]-() REQUIRE r.`"+h.IDProperty+"` IS UNIQUE", nil)
	h.settle(t)
	rest, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 1000, After: first.Next}})
	require.NoError(t, err)
	require.Equal(t, elements[10:], h.elementsOf(t, "MATCH (n)", nodeIDs(rest.Items)))
	restEdges, err := h.Edges.Edges(ctx, graph.EdgeQuery{Paging: graph.Paging{Limit: 1000, After: firstEdges.Next}})
	require.NoError(t, err)
	require.Equal(t, edges[2:], h.elementsOf(t, "MATCH ()-[n]->()", edgeIDs(restEdges.Items)))
	require.Equal(t, h.wholeNodeList(t, ""), h.walkNodes(t, graph.NodeQuery{}, 4), "a new walk has the new order")
}

// elementsOf turns ids into element ids, in the same order.
func (h Harness) elementsOf(t testing.TB, match string, ids []string) []string {
	t.Helper()
	byID := map[string]string{}
	for _, row := range h.Cypher(t, match+" RETURN elementId(n) AS element, n[$id] AS id", map[string]any{"id": h.IDProperty}) {
		element := row["element"].(string)
		byID[element] = element
		if id, ok := row["id"].(string); ok {
			byID[id] = element
		}
	}
	elements := make([]string, len(ids))
	for i, id := range ids {
		elements[i] = byID[id]
	}
	return elements
}

func pagingForeignPosition(t *testing.T, h Harness) {
	ctx := context.Background()
	a := h.node(t, "Person", nil)
	for range 3 {
		h.edge(t, "KNOWS", a.ID, h.node(t, "Person", nil).ID, nil)
	}
	page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 1}})
	require.NoError(t, err)
	position := page.Next
	for _, q := range []graph.NodeQuery{
		{Type: "Person", Paging: graph.Paging{Limit: 1, After: position}},
		{Paging: graph.Paging{Limit: 1, After: position[:len(position)/4]}},
		{Paging: graph.Paging{Limit: 1, After: graph.Position("nonsense")}},
	} {
		_, err := h.Nodes.Nodes(ctx, q)
		requireInvalid(t, err, "cursor")
	}
	_, err = h.Edges.Edges(ctx, graph.EdgeQuery{Paging: graph.Paging{Limit: 1, After: position}})
	requireInvalid(t, err, "cursor")
	edges, err := h.Edges.Edges(ctx, graph.EdgeQuery{SourceID: a.ID, Paging: graph.Paging{Limit: 1}})
	require.NoError(t, err)
	_, err = h.Edges.Edges(ctx, graph.EdgeQuery{TargetID: a.ID, Paging: graph.Paging{Limit: 1, After: edges.Next}})
	requireInvalid(t, err, "cursor")
}

func pagingTotals(t *testing.T, h Harness) {
	ctx := context.Background()
	h.tangle(t)
	h.mixedGraph(t)
	for _, typ := range []graph.TypeName{"", "Doc", "Plain", "Person"} {
		page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 3, Count: true}})
		require.NoError(t, err)
		require.EqualValues(t, len(h.wholeNodeList(t, string(typ))), *page.Total, "type %q", typ)
	}
	for _, typ := range []graph.TypeName{"", "REF", "KNOWS"} {
		page, err := h.Edges.Edges(ctx, graph.EdgeQuery{Type: typ, Paging: graph.Paging{Limit: 3, Count: true}})
		require.NoError(t, err)
		require.EqualValues(t, len(h.wholeEdgeList(t, func(e edgeRow) bool { return typ == "" || e.typ == string(typ) })), *page.Total, "type %q",
			typ)
	}
	page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: "Plain", Paging: graph.Paging{Limit: 1000}})
	require.NoError(t, err)
	require.NotNil(t, page.Total)
	require.EqualValues(t, len(page.Items), *page.Total)
}
