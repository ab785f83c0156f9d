package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var searchRules = []rule{
	{"a search index is created, listed with its state, and deleted; its name is unique", searchIndexLife},
	{"an invalid search index is rejected, and nothing is created", searchIndexInvalid},
	{"a search finds entities that contain every word, immediately after each change, and names the properties", searchFinds},
	{"a search can be limited by index, kind, type and property", searchLimited},
	{"pages of a search are ordered by score and id, and neither repeat nor skip", searchPages},
	{"of very many hits only the best are read, and the answer is truncated", searchTruncated},
	{"a search without an index, or with an unknown one, is NOT_FOUND", searchWithoutIndex},
	{"a search never finds internal data, and its indexes are not listed", searchInternal},
}

// places creates nodes and edges, with a search index on each kind.
func (h Harness) places(t testing.TB) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, p := range []graph.Properties{
		{"name": "New York", "note": "the big apple, not New Delhi"},
		{"name": "New Delhi", "note": "a capital"},
		{"name": "York", "tags": []graph.Value{"minster", "old apple trees"}},
	} {
		n := h.node(t, "City", p)
		ids[p["name"].(string)] = n.ID
	}
	ids["Yorkshire"] = h.node(t, "Region", graph.Properties{"name": "Yorkshire"}).ID
	ids["flight"] = h.edge(t, "FLIGHT", ids["New York"], ids["New Delhi"], graph.Properties{"note": "from York's big apple"}).ID
	h.index(t, graph.NewSearchIndex{
		Name: "places", Kind: graph.NodeKind, Types: []graph.TypeName{"City", "Region"}, Properties: []string{"name", "note", "tags"},
	})
	h.index(t, graph.NewSearchIndex{Name: "flights", Kind: graph.EdgeKind, Types: []graph.TypeName{"FLIGHT"}, Properties: []string{"note"}})
	return ids
}

// index creates a search index and waits until it is online.
func (h Harness) index(t testing.TB, n graph.NewSearchIndex) {
	t.Helper()
	_, err := h.Search.CreateSearchIndex(context.Background(), n)
	require.NoError(t, err)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
}

func (h Harness) search(t testing.TB, text string, q graph.SearchQuery) graph.Hits {
	t.Helper()
	words, f := graph.ParseWords("q", text)
	require.Nil(t, f)
	q.Words = words
	if q.Limit == 0 {
		q.Limit = 100
	}
	hits, err := h.Search.Search(context.Background(), q)
	require.NoError(t, err, text)
	for i, hit := range hits.Items {
		require.NotEmpty(t, hit.Matched, text)
		require.Positive(t, hit.Score, text)
		if i > 0 {
			require.GreaterOrEqual(t, hits.Items[i-1].Score, hit.Score, text)
		}
	}
	return hits
}

// hitNames formats hits as "id: properties", sorted.
func hitNames(hits graph.Hits, ids map[string]string) []string {
	names := map[string]string{}
	for name, id := range ids {
		names[id] = name
	}
	out := []string{}
	for _, hit := range hits.Items {
		id := hit.Node.ID
		if hit.Kind == graph.EdgeKind {
			id = hit.Edge.ID
		}
		out = append(out, names[id]+": "+strings.Join(hit.Matched, ","))
	}
	slices.Sort(out)
	return out
}

func searchFinds(t *testing.T, h Harness) {
	ids := h.places(t)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"york", []string{"New York: name", "York: name"}},
		{"YORK apple", []string{"New York: name,note", "York: name,tags"}}, // in different properties
		{"new york", []string{"New York: name,note"}},
		{`"new delhi"`, []string{"New Delhi: name", "New York: note"}},
		{`"delhi new"`, []string{}},
		{"york*", []string{"New York: name", "York: name", "Yorkshire: name", "flight: note"}}, // "york's" is a word
		{"york's", []string{"flight: note"}},
		{"new-yo*", []string{"New York: name,note"}},
		{"minster", []string{"York: tags"}},
		{"big AND apple", []string{}}, // AND is a word
		{"york -apple", []string{"New York: name,note", "York: name,tags"}},
		{"name:york", []string{}},
		{"yor?", []string{}},
		{"yorc~", []string{}},
		{"nothing", []string{}},
		{"big apple", []string{"New York: note", "flight: note"}},
	} {
		hits := h.search(t, c.text, graph.SearchQuery{})
		require.Equal(t, c.want, hitNames(hits, ids), c.text)
		require.EqualValues(t, len(c.want), *hits.Total, c.text)
		require.False(t, hits.Truncated)
	}
	hits := h.search(t, "york", graph.SearchQuery{})
	require.Equal(t, ids["York"], hits.Items[0].Node.ID, "the shorter text holds it more")
	require.Equal(t, graph.Properties{"name": "York", "tags": []graph.Value{"minster", "old apple trees"}}, hits.Items[0].Node.Properties)
	require.Equal(t, "City", hits.Items[0].Node.Type)
	hits = h.search(t, "york*", graph.SearchQuery{Kind: graph.NodeKind})
	require.Equal(t, ids["Yorkshire"], hits.Items[2].Node.ID, "the word itself goes before those that only begin so")
	hits = h.search(t, "york's", graph.SearchQuery{})
	require.Equal(t, graph.Edge{
		ID: ids["flight"], Type: "FLIGHT", SourceID: ids["New York"], TargetID: ids["New Delhi"],
		Properties: graph.Properties{"note": "from York's big apple"},
	}, hits.Items[0].Edge)

	ctx := context.Background()
	ids["new"] = h.node(t, "City", graph.Properties{"name": "Zürich"}).ID
	require.Equal(t, []string{"new: name"}, hitNames(h.search(t, "ZÜRICH", graph.SearchQuery{}), ids), "at once after the create")
	_, err := h.Nodes.UpdateNode(ctx, ids["new"], graph.Change{Properties: graph.Properties{"name": nil, "note": "Turicum"}})
	require.NoError(t, err)
	require.Empty(t, h.search(t, "zürich", graph.SearchQuery{}).Items)
	require.Equal(t, []string{"new: note"}, hitNames(h.search(t, "turicum", graph.SearchQuery{}), ids))
	_, err = h.Nodes.DeleteNode(ctx, ids["new"], graph.Removal{})
	require.NoError(t, err)
	require.Empty(t, h.search(t, "turicum", graph.SearchQuery{}).Items)
}

func searchLimited(t *testing.T, h Harness) {
	ids := h.places(t)
	h.Cypher(t, "MATCH (n:City {name: 'York'}) SET n:Walled", nil)
	h.Cypher(t, "CREATE FULLTEXT INDEX `By Hand` FOR (n:City) ON EACH [n.note, n.name]", nil)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
	for _, c := range []struct {
		says string
		text string
		q    graph.SearchQuery
		want []string
	}{
		{"nothing", "apple", graph.SearchQuery{}, []string{"New York: note", "York: tags", "flight: note"}},
		{"kind", "apple", graph.SearchQuery{Kind: graph.EdgeKind}, []string{"flight: note"}},
		{"the other kind", "apple", graph.SearchQuery{Kind: graph.NodeKind}, []string{"New York: note", "York: tags"}},
		{"an index", "apple", graph.SearchQuery{Indexes: []string{"flights"}}, []string{"flight: note"}},
		{"an index made in Cypher", "apple", graph.SearchQuery{Indexes: []string{"By Hand"}}, []string{"New York: note"}},
		{"two", "york*", graph.SearchQuery{Indexes: []string{"flights", "By Hand"}}, []string{"New York: name", "York: name", "flight: note"}},
		{"an index of the other kind", "apple", graph.SearchQuery{Indexes: []string{"flights"}, Kind: graph.NodeKind}, []string{}},
		{"type", "york*", graph.SearchQuery{Type: "Region"}, []string{"Yorkshire: name"}},
		{"type of edges", "york*", graph.SearchQuery{Type: "FLIGHT"}, []string{"flight: note"}},
		{"a label beside", "york", graph.SearchQuery{Type: "Walled"}, []string{"York: name"}},
		{"no such type", "york", graph.SearchQuery{Type: "Nothing"}, []string{}},
		{"property", "apple", graph.SearchQuery{Properties: []string{"tags"}}, []string{"York: tags"}},
		{"every word in it", "york apple", graph.SearchQuery{Properties: []string{"tags"}}, []string{}},
		{"several properties", "york apple", graph.SearchQuery{Properties: []string{"tags", "name"}}, []string{"York: name,tags"}},
	} {
		require.Equal(t, c.want, hitNames(h.search(t, c.text, c.q), ids), c.says)
	}
	_, err := h.Search.Search(context.Background(),
		graph.SearchQuery{Words: []graph.Word{{Text: "x"}}, Properties: []string{"nowhere"}, Paging: graph.Paging{Limit: 1}})
	requireInvalid(t, err, "property")
}

func searchPages(t *testing.T, h Harness) {
	h.Cypher(t, `UNWIND range(1, 23) AS i CREATE (n:City {uuid: 'c' + toString(100 - i), name: 'same words'})
		WITH n, i WHERE i <= 7 CREATE (n)-[:ROAD {name: 'same words'}]->(n)`, nil)
	h.Cypher(t, "UNWIND range(1, 3) AS i CREATE (:City {name: 'same words words'})", nil)
	h.index(t, graph.NewSearchIndex{Name: "c", Kind: graph.NodeKind, Types: []graph.TypeName{"City"}, Properties: []string{"name"}})
	h.index(t, graph.NewSearchIndex{Name: "r", Kind: graph.EdgeKind, Types: []graph.TypeName{"ROAD"}, Properties: []string{"name"}})
	whole := h.search(t, "words", graph.SearchQuery{Paging: graph.Paging{Limit: 1000}})
	require.Len(t, whole.Items, 33)
	require.Nil(t, whole.Next)
	for _, limit := range []int{1, 4, 33} {
		var by []graph.Hit
		p := graph.Paging{Limit: limit}
		for {
			page := h.search(t, "words", graph.SearchQuery{Paging: p})
			require.EqualValues(t, 33, *page.Total)
			by = append(by, page.Items...)
			require.LessOrEqual(t, len(by), 33, "limit %d", limit)
			if page.Next == nil {
				break
			}
			require.Len(t, page.Items, limit)
			p.After = page.Next
		}
		require.Equal(t, whole.Items, by, "limit %d", limit)
	}
	for _, offset := range []int64{1, 32, 33, 1 << 60} {
		page := h.search(t, "words", graph.SearchQuery{Paging: graph.Paging{Limit: 10, Offset: offset}})
		rest := whole.Items[min(offset, 33):]
		require.Equal(t, rest[:min(10, len(rest))], page.Items)
		require.Equal(t, len(rest) > 10, page.Next != nil)
	}
	_, err := h.Search.Search(context.Background(), graph.SearchQuery{
		Words: []graph.Word{{Text: "words"}}, Paging: graph.Paging{Limit: 1, After: graph.Position("nonsense")},
	})
	requireInvalid(t, err, "cursor")
}

func searchTruncated(t *testing.T, h Harness) {
	h.Cypher(t, "UNWIND range(1, $most) AS i CREATE (:Rock {name: 'stone'})", map[string]any{"most": graph.MaxSearchHits})
	h.index(t, graph.NewSearchIndex{Name: "rocks", Kind: graph.NodeKind, Types: []graph.TypeName{"Rock", "Gem"}, Properties: []string{"name"}})
	hits := h.search(t, "stone", graph.SearchQuery{})
	require.False(t, hits.Truncated)
	require.EqualValues(t, graph.MaxSearchHits, *hits.Total)
	h.Cypher(t, "CREATE (:Gem {name: 'stone of many words'})", nil)
	hits = h.search(t, "stone", graph.SearchQuery{Paging: graph.Paging{Limit: 10, Offset: graph.MaxSearchHits - 10}})
	require.True(t, hits.Truncated)
	require.Nil(t, hits.Total)
	require.Len(t, hits.Items, 10)
	require.Nil(t, hits.Next)
	require.Empty(t, h.search(t, "stone", graph.SearchQuery{Type: "Gem"}).Items, "the worst of all")
}

func searchWithoutIndex(t *testing.T, h Harness) {
	ctx := context.Background()
	q := graph.SearchQuery{Words: []graph.Word{{Text: "york"}}, Paging: graph.Paging{Limit: 1}}
	_, err := h.Search.Search(ctx, q)
	requireCode(t, fault.NotFound, err)
	require.Contains(t, fault.As(err).Message, "administrator")
	h.places(t)
	q.Indexes = []string{"places", "nothing"}
	_, err = h.Search.Search(ctx, q)
	requireCode(t, fault.NotFound, err)
	require.Equal(t, "index", fault.As(err).Details[0].Field)
	require.NoError(t, h.Search.DeleteSearchIndex(ctx, "flights"))
	q.Indexes, q.Kind = nil, graph.EdgeKind
	_, err = h.Search.Search(ctx, q)
	requireCode(t, fault.NotFound, err)
}

func searchInternal(t *testing.T, h Harness) {
	ctx := context.Background()
	person, _, _ := h.internalGraph(t) // Ann, and secrets named "loud" and "low" that are persons too
	h.Cypher(t, "MATCH (n)-[r]->() WHERE n:Person OR n:_GraphrestSecret SET r.name = 'edge of ' + type(r)", nil)
	h.Cypher(t, "MATCH (n) WHERE n:Person OR n:_GraphrestSecret SET n.name = n.name + ' here'", nil)
	for _, statement := range []string{
		"CREATE FULLTEXT INDEX shared_words FOR (n:Person|_GraphrestSecret) ON EACH [n.name]",
		"CREATE FULLTEXT INDEX secret_words FOR (n:_GraphrestSecret) ON EACH [n.name]",
		"CREATE FULLTEXT INDEX secret_edges FOR ()-[n:_graphrestLIKES|KNOWS]-() ON EACH [n.name]",
		"CREATE FULLTEXT INDEX _GraphrestOwn FOR (n:Person) ON EACH [n.name, n.other]",
	} {
		h.Cypher(t, statement, nil)
	}
	all, err := h.Search.SearchIndexes(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
	for _, name := range []string{"shared_words", "secret_words", "_GraphrestOwn"} {
		_, err := h.Search.SearchIndex(ctx, name)
		requireCode(t, fault.NotFound, err)
		requireCode(t, fault.NotFound, h.Search.DeleteSearchIndex(ctx, name))
		_, err = h.Search.Search(ctx,
			graph.SearchQuery{Words: []graph.Word{{Text: "here"}}, Indexes: []string{name}, Paging: graph.Paging{Limit: 1}})
		requireCode(t, fault.NotFound, err)
	}
	h.index(t, graph.NewSearchIndex{Name: "people", Kind: graph.NodeKind, Types: []graph.TypeName{"Person"}, Properties: []string{"name"}})
	h.index(t,
		graph.NewSearchIndex{Name: "known", Kind: graph.EdgeKind, Types: []graph.TypeName{"KNOWS", "ONLY_HERE"}, Properties: []string{"name"}})
	hits := h.search(t, "here", graph.SearchQuery{})
	require.Len(t, hits.Items, 1)
	require.EqualValues(t, 1, *hits.Total)
	require.Equal(t, person.ID, hits.Items[0].Node.ID)
	hits = h.search(t, "edge", graph.SearchQuery{})
	require.Len(t, hits.Items, 1, "one edge has two visible ends")
	require.EqualValues(t, 1, *hits.Total)
	require.Equal(t, person.ID, hits.Items[0].Edge.SourceID)
	require.Equal(t, person.ID, hits.Items[0].Edge.TargetID)
}
