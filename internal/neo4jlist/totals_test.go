package neo4jlist

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// TestExactCountsDoNotReadALongJournal: an exact count costs the same with 20,000 records of the gateway as without, and edges at a record,
// which only somebody else can make, stay hidden.
func TestExactCountsDoNotReadALongJournal(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	db := neo4jtest.Open(t)
	core := neo4jentitytest.Open(t, db)
	s := New(core)
	for _, statement := range []string{
		"UNWIND range(1, 2 * $few) AS i CREATE (:_GraphrestAudit {n: i})",
		"CREATE (a:Counted)-[:COUNTED]->(:Counted) CREATE (a)-[:COUNTED]->(a) CREATE (:Counted)",
		"MATCH (a:Counted) WITH a LIMIT 1 MATCH (r:_GraphrestAudit {n: 1}) CREATE (a)-[:COUNTED]->(r) CREATE (r)-[:COUNTED]->(r)",
		"CREATE (:_GraphrestFew:Counted)",
		"MATCH (r:_GraphrestAudit) WHERE r.n < 4 SET r:_GraphrestFuture:_GraphrestSecond",
	} {
		db.Exec(t, statement, map[string]any{"few": scannedRecords})
	}
	_, err := core.Schema.Counts.Current(t.Context())
	require.NoError(t, err)
	names, err := core.Exclusions.ExclusionNow(t.Context())
	require.NoError(t, err)
	parts := internalPartsOf(names, core.Schema.Counts.Known().Nodes)
	require.Equal(t, []string{"_GraphrestAudit"}, parts.records)

	paging := graph.Paging{Limit: 1, Count: true}
	nodes, err := s.Nodes(t.Context(), graph.NodeQuery{Type: "Counted", Paging: paging})
	require.NoError(t, err)
	require.EqualValues(t, 3, *nodes.Total)
	nodes, err = s.Nodes(t.Context(), graph.NodeQuery{Paging: paging})
	require.NoError(t, err)
	require.EqualValues(t, 3, *nodes.Total)
	edges, err := s.Edges(t.Context(), graph.EdgeQuery{Type: "COUNTED", Paging: paging})
	require.NoError(t, err)
	require.EqualValues(t, 2, *edges.Total)
	edges, err = s.Edges(t.Context(), graph.EdgeQuery{Paging: paging})
	require.NoError(t, err)
	require.EqualValues(t, 2, *edges.Total)

	internal, typ := cypher.QuoteAny(parts.scanned), cypher.Quote("Counted")
	for _, text := range []cypher.Text{
		cypher.ListNodesTotal.Text(cypher.Slots{"type": typ, "internal": internal}),
		cypher.ListNodesTotalAll.Text(cypher.Slots{
			"internal": internal, "records": cypher.CountNodesWith(parts.records), "counted": cypher.QuoteAny(parts.records),
		}),
		cypher.ListEdgesTotal.Text(cypher.Slots{"type": typ, "internal": internal, "records": cypher.CountEdgesAt(parts.records, "Counted")}),
		cypher.ListEdgesTotalAll.Text(cypher.Slots{
			"internal": internal, "records": cypher.CountEdgesAt(parts.records), "internal_types": cypher.QuoteAny(parts.types),
		}),
	} {
		hits, _ := neo4jtest.Profile(t, db, text.String(), map[string]any{"type": "Counted", "verify": true})
		require.Less(t, hits, int64(200), text)
	}
}

// TestExactCountsSubtractEachInternalNodeOnce: internal nodes are a set, whatever labels they have and however many there are: records of
// changes that have no position in the feed yet, and nodes with several labels that this version does not know.
func TestExactCountsSubtractEachInternalNodeOnce(t *testing.T) {
	db := neo4jtest.Open(t)
	core := neo4jentitytest.Open(t, db)
	s := New(core)
	for _, statement := range []string{
		"UNWIND range(1, $many) AS i CREATE (:_GraphrestChange)",
		"UNWIND range(1, 60) AS i CREATE (:_GraphrestChange:_GraphrestUnordered)",
		"UNWIND range(1, $many) AS i CREATE (:_GraphrestFuture:_GraphrestOther:Counted)",
		"UNWIND range(1, 7) AS i CREATE (:_GraphrestChange:_GraphrestUnordered:_GraphrestFuture)",
		"CREATE (a:Counted)-[:COUNTED]->(b:Counted)-[:_GraphrestLink]->(a) CREATE (:Other)",
		"MATCH (f:_GraphrestFuture) WITH f LIMIT 2 CREATE (f)-[:COUNTED]->(f)",
	} {
		db.Exec(t, statement, map[string]any{"many": scannedRecords + 1})
	}
	_, err := core.Schema.Counts.Current(t.Context())
	require.NoError(t, err)
	paging := graph.Paging{Limit: 1, Count: true}
	for typ, total := range map[string]int64{"": 3, "Counted": 2, "Other": 1} {
		nodes, err := s.Nodes(t.Context(), graph.NodeQuery{Type: graph.TypeName(typ), Paging: paging})
		require.NoError(t, err)
		require.EqualValues(t, total, *nodes.Total, typ)
	}
	for _, typ := range []graph.TypeName{"", "COUNTED"} {
		edges, err := s.Edges(t.Context(), graph.EdgeQuery{Type: typ, Paging: paging})
		require.NoError(t, err)
		require.EqualValues(t, 1, *edges.Total, typ)
	}
}

// TestExactCountsReadOnlyTheNamesThatTheyVerify: a database may have many labels and types, of which a count needs the internal ones and
// its own, and the search for the start of a page none.
func TestExactCountsReadOnlyTheNamesThatTheyVerify(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	core := neo4jentitytest.Open(t, db)
	s := New(core)
	db.Exec(t, "CREATE (:_GraphrestSpy)-[:_GraphrestSpies]->(:Counted)-[:COUNTED]->(:Other)-[:OTHER]->(:Counted)", nil)
	none, records := cypher.QuoteAny([]string{graph.ReservedPrefix}), cypher.CountEdgesAt(nil)
	for _, c := range []struct {
		text  cypher.Text
		inUse []string
		types []string
	}{
		{cypher.ListNodesTotal.Text(cypher.Slots{"type": cypher.Quote("Counted"), "internal": none}), []string{"Counted"}, nil},
		{cypher.ListNodesTotalAll.Text(cypher.Slots{"internal": none, "records": cypher.CountNodesWith(nil), "counted": none}), nil, nil},
		{cypher.ListEdgesTotal.Text(cypher.Slots{"type": cypher.Quote("COUNTED"), "internal": none, "records": records}), nil, nil},
		{
			cypher.ListEdgesTotalAll.Text(cypher.Slots{"internal": none, "internal_types": none, "records": records}),
			nil,
			[]string{"_GraphrestSpies"},
		},
	} {
		total, err := s.sources.exact.readTotal(t.Context(), c.text, "Counted", true)
		require.NoError(t, err)
		require.ElementsMatch(t, c.inUse, total.names.LabelsInUse, c.text)
		require.Contains(t, total.names.InternalLabels, "_GraphrestSpy", c.text)
		require.Empty(t, total.names.TypesInUse, c.text)
		require.ElementsMatch(t, c.types, total.names.InternalTypes, c.text)
		for _, row := range db.Query(t, c.text.String(), map[string]any{"type": "Counted", "verify": false}) {
			require.Empty(t, row["labels"], c.text)
			require.Empty(t, row["types"], c.text)
		}
	}
}

// TestAnExactCountFailsWithItsNames: a count whose names cannot be read again fails with the reason.
func TestAnExactCountFailsWithItsNames(t *testing.T) {
	core := neo4jentitytest.Open(t, neo4jtest.Open(t))
	_, err := core.Exclusions.ExclusionNow(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	texts := newListTexts(newListQuery(graph.NodeKind, graph.EdgeQuery{}), core.Texts, nil)
	totals := &listTotals{client: core.Client, exact: New(core).sources.exact, texts: texts}
	_, err = totals.countType(ctx, "Counted")
	require.ErrorIs(t, err, context.Canceled)
}
