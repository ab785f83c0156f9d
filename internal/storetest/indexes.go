package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var indexRules = []rule{
	{"an index of each kind is created, listed with its state, and deleted; a repeated create returns it", indexLife},
	{"names, types and properties of an index may contain any characters", indexHostileNames},
	{"an index that others created is listed, is named in the CONFLICT with an equal one, and cannot be deleted", indexForeign},
	{"indexes on internal data and on ids are not listed", indexInternal},
}

func (h Harness) awaitIndex(t testing.TB, n graph.NewIndex) graph.PropertyIndex {
	t.Helper()
	made, err := h.Indexes.CreateIndex(context.Background(), n)
	require.NoError(t, err)
	require.Contains(t, []graph.SearchIndexState{graph.SearchBuilding, graph.SearchOnline}, made.State)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
	read, err := h.Indexes.Index(context.Background(), n.Name)
	require.NoError(t, err)
	read.Use = graph.IndexUse{} // the server stores it at some time
	require.Equal(t, graph.PropertyIndex{
		Name: n.Name, Entity: n.Entity, Kind: n.Kind, Types: []string{string(n.Type)}, Properties: n.Properties,
		State: graph.SearchOnline, Progress: 100, Managed: true,
	}, read)
	return read
}

// managedIndexes returns the names of the indexes that the store created.
func (h Harness) managedIndexes(t testing.TB) []string {
	t.Helper()
	all, err := h.Indexes.Indexes(context.Background())
	require.NoError(t, err)
	names := []string{}
	for _, i := range all {
		if i.Managed {
			names = append(names, i.Name)
		}
	}
	return names
}

func indexLife(t *testing.T, h Harness) {
	ctx := context.Background()
	h.node(t, "City", graph.Properties{"name": "York"})
	indexes := []graph.NewIndex{
		{Name: "by-name", Entity: graph.NodeKind, Kind: graph.RangeIndex, Type: "City", Properties: []string{"name"}},
		{Name: "by-two", Entity: graph.NodeKind, Kind: graph.RangeIndex, Type: "City", Properties: []string{"name", "age"}},
		{Name: "in-name", Entity: graph.NodeKind, Kind: graph.TextIndex, Type: "City", Properties: []string{"name"}},
		{Name: "on-road", Entity: graph.EdgeKind, Kind: graph.RangeIndex, Type: "ROAD", Properties: []string{"km"}},
		{Name: "where", Entity: graph.EdgeKind, Kind: graph.PointIndex, Type: "ROAD", Properties: []string{"at"}},
	}
	for _, n := range indexes {
		made := h.awaitIndex(t, n)
		again, err := h.Indexes.CreateIndex(ctx, n)
		require.NoError(t, err)
		again.Use = graph.IndexUse{} // the server stores it at some time
		require.Equal(t, made, again)
	}
	require.Equal(t, []string{"by-name", "by-two", "in-name", "on-road", "where"}, h.managedIndexes(t))
	require.True(t, slices.ContainsFunc(h.schema(t).Indexes, func(i graph.Index) bool { return i.Name == "by-name" && i.Kind == "RANGE" }))

	other := indexes[0]
	other.Properties = []string{"age"}
	_, err := h.Indexes.CreateIndex(ctx, other)
	requireCode(t, fault.Conflict, err)
	require.Equal(t, "name", fault.As(err).Details[0].Field)
	same := indexes[0]
	same.Name = "by-name-2"
	_, err = h.Indexes.CreateIndex(ctx, same)
	requireCode(t, fault.Conflict, err)
	require.Equal(t, []fault.Detail{{Field: "properties", Message: "are indexed already by the index by-name"}}, fault.As(err).Details)
	ofIDs := indexes[0]
	ofIDs.Name, ofIDs.Properties = "ids", []string{h.IDProperty}
	_, err = h.Indexes.CreateIndex(ctx, ofIDs)
	requireInvalid(t, err, "properties")

	for _, n := range indexes {
		require.NoError(t, h.Indexes.DeleteIndex(ctx, n.Name))
		requireCode(t, fault.NotFound, h.Indexes.DeleteIndex(ctx, n.Name))
		_, err = h.Indexes.Index(ctx, n.Name)
		requireCode(t, fault.NotFound, err)
	}
	require.Empty(t, h.managedIndexes(t))
}

func indexHostileNames(t *testing.T, h Harness) {
	odd := []string{"a`b", `\u0060) //`, `q"uo\te: x`, "é ü", "x`) ON (n.y); MATCH (n) DETACH DELETE n //"}
	h.node(t, "Kept", nil)
	for i, name := range odd {
		n := graph.NewIndex{
			Name: "odd" + string(rune('0'+i)), Entity: graph.NodeKind, Kind: graph.RangeIndex, Type: graph.TypeName(name),
			Properties: []string{name, "x"},
		}
		if i%2 == 1 {
			n.Entity = graph.EdgeKind
		}
		h.awaitIndex(t, n)
	}
	require.Len(t, h.managedIndexes(t), len(odd))
	require.EqualValues(t, 1, h.one(t, "MATCH (n:Kept) RETURN count(n)", nil))
}

func indexForeign(t *testing.T, h Harness) {
	ctx := context.Background()
	h.Cypher(t, "CREATE INDEX by_hand FOR (n:City) ON (n.name)", nil)
	h.Cypher(t, "CREATE CONSTRAINT one_code FOR (n:City) REQUIRE n.code IS UNIQUE", nil)
	h.Cypher(t, "CREATE FULLTEXT INDEX words FOR (n:City|Town) ON EACH [n.name, n.note]", nil)
	h.Cypher(t, "CALL db.awaitIndexes(60)", nil)
	all, err := h.Indexes.Indexes(ctx)
	require.NoError(t, err)
	for i := range all {
		all[i].Use = graph.IndexUse{} // the server stores it at some time
	}
	online := graph.PropertyIndex{Entity: graph.NodeKind, State: graph.SearchOnline, Progress: 100}
	hand, key, words := online, online, online
	hand.Name, hand.Kind, hand.Types, hand.Properties = "by_hand", graph.RangeIndex, []string{"City"}, []string{"name"}
	key.Name, key.Kind, key.Types, key.Properties, key.Constraint = "one_code", graph.RangeIndex, []string{
		"City",
	}, []string{"code"}, "one_code"
	words.Name, words.Kind, words.Types, words.Properties = "words", "fulltext", []string{"City", "Town"}, []string{"name", "note"}
	for _, want := range []graph.PropertyIndex{hand, key, words} {
		require.Contains(t, all, want)
		requireCode(t, fault.Conflict, h.Indexes.DeleteIndex(ctx, want.Name))
	}
	require.True(t,
		slices.ContainsFunc(all, func(i graph.PropertyIndex) bool { return i.Kind == "lookup" && len(i.Types) == 0 && !i.Managed }))
	for _, property := range []string{"name", "code"} {
		n := graph.NewIndex{Name: "equal", Entity: graph.NodeKind, Kind: graph.RangeIndex, Type: "City", Properties: []string{property}}
		_, err = h.Indexes.CreateIndex(ctx, n)
		requireCode(t, fault.Conflict, err)
		require.Equal(t, "properties", fault.As(err).Details[0].Field, property)
	}
	_, err = h.Indexes.CreateIndex(ctx,
		graph.NewIndex{Name: "by_hand", Entity: graph.NodeKind, Kind: graph.RangeIndex, Type: "Town", Properties: []string{"name"}})
	requireCode(t, fault.Conflict, err)
	require.Equal(t, "name", fault.As(err).Details[0].Field)
	require.NoError(t, func() error { // the name is available, because the name in the database has a prefix
		_, err := h.Indexes.CreateIndex(ctx,
			graph.NewIndex{Name: "by_hand2", Entity: graph.NodeKind, Kind: graph.TextIndex, Type: "City", Properties: []string{"name"}})
		return err
	}())
	require.EqualValues(t, 1, h.one(t, "SHOW INDEXES YIELD name WHERE name = 'by_hand' RETURN count(*)", nil))
}

func indexInternal(t *testing.T, h Harness) {
	h.node(t, "City", graph.Properties{"name": "York"})
	h.Cypher(t, "CREATE INDEX _Graphrest_secret FOR (n:City) ON (n.name)", nil)
	h.Cypher(t, "CREATE INDEX seen FOR (n:_GraphrestUser) ON (n.other)", nil)
	all, err := h.Indexes.Indexes(context.Background())
	require.NoError(t, err)
	for _, i := range all {
		require.Equal(t, graph.IndexKind("lookup"), i.Kind, i.Name)
	}
	requireCode(t, fault.NotFound, h.Indexes.DeleteIndex(context.Background(), "seen"))
	requireCode(t, fault.NotFound, h.Indexes.DeleteIndex(context.Background(), "_Graphrest_secret"))
}
