package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func searchIndexLife(t *testing.T, h Harness) {
	ctx := context.Background()
	h.node(t, "City", graph.Properties{"name": "York"})
	all, err := h.Search.SearchIndexes(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
	// Names that mean something to Cypher or to Lucene are names.
	odd := []string{"name", "AND", `q"uo\te: x`, "a`b", `\u0060) //`, "uOR", "é ü"}
	n := graph.NewSearchIndex{
		Name: "All-of_it1", Kind: graph.NodeKind, Types: []graph.TypeName{"City", "x`) //"}, Properties: odd, Analyzer: "simple",
	}
	made, err := h.Search.CreateSearchIndex(ctx, n)
	require.NoError(t, err)
	require.Contains(t, []graph.SearchIndexState{graph.SearchBuilding, graph.SearchOnline}, made.State)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
	read, err := h.Search.SearchIndex(ctx, n.Name)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"City", "x`) //"}, read.Types)
	want := graph.SearchIndex{
		Name: n.Name, Kind: graph.NodeKind, Types: read.Types, Properties: odd, Analyzer: "simple", State: graph.SearchOnline, Progress: 100,
		Managed: true,
	}
	require.Equal(t, want, read)
	properties := graph.Properties{}
	for i, p := range odd {
		properties[p] = "Kirkja " + strings.Repeat("æ", i+1)
	}
	ids := map[string]string{"it": h.node(t, "City", properties).ID}
	for i, p := range odd {
		require.Equal(t, []string{"it: " + p}, hitNames(h.search(t, strings.Repeat("Æ", i+1), graph.SearchQuery{}), ids))
		require.Equal(t, []string{"it: " + p}, hitNames(h.search(t, "Kirkj*", graph.SearchQuery{Properties: []string{p}}), ids))
	}

	_, err = h.Search.CreateSearchIndex(ctx,
		graph.NewSearchIndex{Name: n.Name, Kind: graph.EdgeKind, Types: []graph.TypeName{"R"}, Properties: []string{"p"}})
	requireCode(t, fault.Conflict, err)
	_, err = h.Search.CreateSearchIndex(ctx, graph.NewSearchIndex{Name: "same", Kind: n.Kind, Types: n.Types, Properties: n.Properties})
	requireCode(t, fault.Conflict, err)
	h.Cypher(t, "CREATE FULLTEXT INDEX by_hand FOR ()-[r:R]-() ON EACH [r.p]", nil)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
	_, err = h.Search.CreateSearchIndex(ctx,
		graph.NewSearchIndex{Name: "by_hand", Kind: graph.EdgeKind, Types: []graph.TypeName{"R"}, Properties: []string{"q"}})
	requireCode(t, fault.Conflict, err)
	all, err = h.Search.SearchIndexes(ctx)
	require.NoError(t, err)
	require.Equal(t, []graph.SearchIndex{want, {
		Name: "by_hand", Kind: graph.EdgeKind, Types: []string{"R"}, Properties: []string{"p"}, Analyzer: "standard-no-stop-words",
		State: graph.SearchOnline, Progress: 100,
	}}, all)
	require.Contains(t, fmt.Sprint(h.schema(t).Indexes), "{All-of_it1 FULLTEXT node", "the schema has it under the name that searches know")

	requireCode(t, fault.Conflict, h.Search.DeleteSearchIndex(ctx, "by_hand"))
	require.NoError(t, h.Search.DeleteSearchIndex(ctx, n.Name))
	requireCode(t, fault.NotFound, h.Search.DeleteSearchIndex(ctx, n.Name))
	_, err = h.Search.SearchIndex(ctx, n.Name)
	requireCode(t, fault.NotFound, err)
	require.EqualValues(t, 1, h.one(t, "SHOW FULLTEXT INDEXES YIELD name RETURN count(*)", nil))
}

func searchIndexInvalid(t *testing.T, h Harness) {
	ctx := context.Background()
	n := graph.NewSearchIndex{Name: "n", Kind: graph.NodeKind, Types: []graph.TypeName{"City"}, Properties: []string{"name"}}
	unknown := n
	unknown.Analyzer = "klingon"
	_, err := h.Search.CreateSearchIndex(ctx, unknown)
	requireInvalid(t, err, "analyzer")
	require.Contains(t, fault.As(err).Details[0].Message, "standard-folding")
	ofIDs := n
	ofIDs.Properties = []string{"name", h.IDProperty}
	_, err = h.Search.CreateSearchIndex(ctx, ofIDs)
	requireInvalid(t, err, "properties")
	require.EqualValues(t, 0, h.one(t, "SHOW FULLTEXT INDEXES YIELD name RETURN count(*)", nil))
}
