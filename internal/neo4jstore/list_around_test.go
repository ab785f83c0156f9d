package neo4jstore_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// Lists of a node's edges in pages of any size return each visible edge once, in the contract's order: several types, both directions,
// self-loops, parallel edges, some with their own id and some without. Edges to internal nodes, also to one with a second label, and of
// internal types are on no page and shorten none.
func TestEdgesOfAHubInPages(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	s, db := open(t, nil)
	ctx := context.Background()
	hub, err := s.CreateNode(ctx, graph.NewNode{Type: "Hub"})
	require.NoError(t, err)
	other, err := s.CreateNode(ctx, graph.NewNode{Type: "Rim"})
	require.NoError(t, err)
	for i := range 12 { // MANAGED is managed; half of its edges get no id below
		source, target := hub.Entity.ID, other.Entity.ID
		switch i % 4 {
		case 1:
			source, target = target, source
		case 2:
			target = hub.Entity.ID
		}
		_, err := s.CreateEdge(ctx, graph.NewEdge{Type: "MANAGED", SourceID: source, TargetID: target})
		require.NoError(t, err)
	}
	db.Exec(t, `MATCH (h:Hub), (o:Rim) UNWIND range(1, 40) AS i
		CREATE (h)-[:A]->(o)<-[:MANAGED]-(h) CREATE (h)<-[:A]-(:Rim:Second) CREATE (h)-[:Z]->() CREATE (h)-[:Z]->(h)`, nil)
	check := func(t *testing.T) {
		for _, direction := range []graph.Direction{graph.Both, graph.Out, graph.In} {
			for _, edgeType := range []graph.TypeName{"", "A", "MANAGED", "Z", "NOTHING"} {
				want := expectedEdges(t, db, direction, string(edgeType))
				for _, limit := range []int{7, 40, 1000} {
					q := graph.EdgeQuery{
						Type: edgeType, Of: &graph.Around{NodeID: hub.Entity.ID, Direction: direction}, Paging: graph.Paging{Limit: limit, Count: true},
					}
					got, total := readAllPages(t, s.Edges, q)
					require.Equal(t, want, got, "%s %s in pages of %d", direction, edgeType, limit)
					require.EqualValues(t, len(want), total)
				}
				skipped := []string{}
				for offset := int64(0); offset < int64(len(want)); offset += 50 {
					page, err := s.Edges(ctx, graph.EdgeQuery{
						Type: edgeType, Of: &graph.Around{NodeID: hub.Entity.ID, Direction: direction}, Paging: graph.Paging{Limit: 50, Offset: offset},
					})
					require.NoError(t, err)
					for _, e := range page.Items {
						skipped = append(skipped, e.ID)
					}
					require.True(t, page.Total == nil || *page.Total == int64(len(want)), "the total of the last page")
				}
				require.Equal(t, want, skipped, "%s %s by offsets", direction, edgeType)
			}
		}
	}
	t.Run("visible edges only", check)
	db.Exec(t, `MATCH (h:Hub) UNWIND range(1, 30) AS i
		CREATE (h)-[:A]->(:_GraphrestSecret) CREATE (h)<-[:MANAGED]-(:Rim:_GRAPHRESTLoud) CREATE (h)-[:_graphrestOwn]->(:Rim)
		CREATE (h)-[:Z]->(:_GraphrestSecret)`, nil)
	t.Run("among internal ones", check)

	q := graph.EdgeQuery{SourceID: hub.Entity.ID, TargetID: other.Entity.ID, Paging: graph.Paging{Limit: 9, Count: true}}
	got, total := readAllPages(t, s.Edges, q)
	require.Len(t, got, 86, "40 of type A, 40 and 6 of type MANAGED")
	require.EqualValues(t, len(got), total)
}

// expectedEdges are the ids of the hub's visible edges in the contract's order, determined without the store.
func expectedEdges(t *testing.T, db *neo4jtest.DB, d graph.Direction, edgeType string) []string {
	t.Helper()
	rows := db.Query(t, `MATCH (h:Hub)-[r]-(o)
		WHERE ($type = '' OR type(r) = $type) AND NOT toLower(type(r)) STARTS WITH '_graphrest' AND
			none(l IN labels(o) WHERE toLower(l) STARTS WITH '_graphrest')
		  AND ($direction = 'both' OR ($direction = 'out' AND startNode(r) = h) OR ($direction = 'in' AND endNode(r) = h))
		RETURN DISTINCT type(r) AS type, coalesce(r.uuid, '') AS own, elementId(r) AS element`,
		map[string]any{"type": edgeType, "direction": string(d)})
	number := func(row map[string]any) int {
		element, _ := row["element"].(string)
		n, err := strconv.Atoi(element[strings.LastIndexByte(element, ':')+1:])
		require.NoError(t, err)
		return n
	}
	text := func(row map[string]any, name string) string { return fmt.Sprint(row[name]) }
	slices.SortFunc(rows, func(a, b map[string]any) int {
		without := func(row map[string]any) int { return cmp.Compare(1, len(text(row, "own"))) } // 1 without, -1 with
		return cmp.Or(strings.Compare(text(a, "type"), text(b, "type")), cmp.Compare(without(a), without(b)),
			strings.Compare(text(a, "own"), text(b, "own")), cmp.Compare(number(a), number(b)))
	})
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = cmp.Or(text(row, "own"), text(row, "element"))
	}
	return ids
}

// readAllPages returns the ids of all pages of a list, and its total. Only the last page may be shorter than its limit.
func readAllPages(
	t *testing.T, list func(context.Context, graph.EdgeQuery) (graph.Page[graph.Edge], error), q graph.EdgeQuery,
) ([]string, int64) {
	t.Helper()
	ids, total := []string{}, int64(-1)
	for {
		page, err := list(context.Background(), q)
		require.NoError(t, err)
		for _, e := range page.Items {
			ids = append(ids, e.ID)
		}
		if page.Total != nil {
			total = *page.Total
		}
		if page.Next == nil {
			return ids, total
		}
		require.Len(t, page.Items, q.Limit)
		q.After = page.Next
	}
}
