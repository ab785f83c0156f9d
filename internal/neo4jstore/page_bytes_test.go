package neo4jstore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

// Lists of large entities are read in short pages, across types, and each entity is on one page.
func TestAPageEndsWhereItsBytesReachTheBound(t *testing.T) {
	testmark.Concurrent(t)
	const each, bound = 100 << 10, 250 << 10
	ctx := context.Background()
	s, db := open(t, func(c *settings) { c.MaxPageBytes = bound })
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Large"})
	require.NoError(t, err)
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Small"})
	require.NoError(t, err)
	db.Exec(t, `UNWIND range(1, 7) AS i
		CREATE (:Large {uuid: 'l' + i, n: i, text: $text})-[:TO {n: i, text: $text}]->(:Other {n: i, text: $text})`,
		map[string]any{"text": strings.Repeat("x", each)})
	db.Exec(t, `CREATE ({n: 1, text: $text})`, map[string]any{"text": strings.Repeat("x", each)})

	nodePages := func(q graph.NodeQuery) func(graph.Paging) (graph.Page[string], error) {
		return func(p graph.Paging) (graph.Page[string], error) {
			q.Paging = p
			page, err := s.Nodes(ctx, q)
			return idsOf(page, func(n graph.Node) string { return n.ID }), err
		}
	}
	edgePages := func(q graph.EdgeQuery) func(graph.Paging) (graph.Page[string], error) {
		return func(p graph.Paging) (graph.Page[string], error) {
			q.Paging = p
			page, err := s.Edges(ctx, q)
			return idsOf(page, func(e graph.Edge) string { return e.ID }), err
		}
	}
	byNumber := graph.Sort{{Property: "n", Descending: true}}
	for name, list := range map[string]struct {
		pages func(graph.Paging) (graph.Page[string], error)
		total int
	}{
		"all nodes":       {nodePages(graph.NodeQuery{}), 17},
		"nodes of a type": {nodePages(graph.NodeQuery{Type: "Large"}), 8},
		"nodes sorted":    {nodePages(graph.NodeQuery{Sort: byNumber}), 17},
		"edges":           {edgePages(graph.EdgeQuery{}), 7},
		"edges sorted":    {edgePages(graph.EdgeQuery{Type: "TO", Sort: byNumber}), 7},
		"edges of a node": {edgePages(graph.EdgeQuery{Of: &graph.Around{NodeID: "l1"}}), 1},
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			paging := graph.Paging{Limit: 100}
			for len(seen) <= list.total {
				page, err := list.pages(paging)
				require.NoError(t, err)
				require.NotEmpty(t, page.Items)
				require.LessOrEqual(t, len(page.Items), 5, "three large entities fill a page, besides the two small ones")
				for _, id := range page.Items {
					require.False(t, seen[id], "%s is on two pages", id)
					seen[id] = true
				}
				if paging.After = page.Next; page.Next == nil {
					break
				}
				require.Nil(t, page.Total, "the entities after the page were not counted")
			}
			require.Len(t, seen, list.total)
		})
	}
}

// A large entity is on its page although the page was read by the index first, and again by a scan.
func TestALargeEntityIsFoundByAFilter(t *testing.T) {
	const bound = 64 << 10
	s, db := open(t, func(c *settings) { c.MaxPageBytes = bound })
	_, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	db.Exec(t, `UNWIND range(1, 1500) AS i
		CREATE (n:Person {uuid: 'p' + (10000 + i), n: i}) FOREACH (x IN CASE i WHEN 500 THEN [1] ELSE [] END | SET n.text = $text)`,
		map[string]any{"text": strings.Repeat("x", 2*bound)})
	require.NoError(t, neo4jstore.RefreshCaches(t.Context(), s))
	page, err := s.Nodes(t.Context(), graph.NodeQuery{
		Type: "Person", Filter: graph.Filter{{Property: "n", Operator: graph.Equal, Value: int64(500)}}, Paging: graph.Paging{Limit: 100},
	})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, "p10500", page.Items[0].ID)
}

func idsOf[T any](page graph.Page[T], id func(T) string) graph.Page[string] {
	ids := graph.Page[string]{Next: page.Next, Total: page.Total}
	for _, item := range page.Items {
		ids.Items = append(ids.Items, id(item))
	}
	return ids
}
