package neo4jstore

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
)

// TestExactCountsDoNotReadALongJournal: an exact count costs the same with 20,000 records of the gateway as without, and edges at a record,
// which only somebody else can make, stay hidden.
func TestExactCountsDoNotReadALongJournal(t *testing.T) {
	db := neo4jtest.Open(t)
	s := openWithoutAudit(t, db)
	for _, statement := range []string{
		"UNWIND range(1, 2 * $few) AS i CREATE (:_GraphrestRecord {n: i})",
		"CREATE (a:Counted)-[:COUNTED]->(:Counted) CREATE (a)-[:COUNTED]->(a) CREATE (:Counted)",
		"MATCH (a:Counted) WITH a LIMIT 1 MATCH (r:_GraphrestRecord {n: 1}) CREATE (a)-[:COUNTED]->(r) CREATE (r)-[:COUNTED]->(r)",
		"CREATE (:_GraphrestFew:Counted)",
	} {
		db.Exec(t, statement, map[string]any{"few": scannedRecords})
	}
	_, err := s.Counts.Current(t.Context())
	require.NoError(t, err)
	names, err := s.exclusionNow(t.Context())
	require.NoError(t, err)
	parts := names.parts(s.Counts.Known().Nodes)
	require.Equal(t, []string{"_GraphrestRecord"}, parts.records)

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
		cypher.ListNodesTotalAll.Text(cypher.Slots{"internal": internal, "records": cypher.CountNodesWith(parts.records)}),
		cypher.ListEdgesTotal.Text(cypher.Slots{"type": typ, "internal": internal, "records": cypher.CountEdgesAt(parts.records, "Counted")}),
		cypher.ListEdgesTotalAll.Text(cypher.Slots{
			"internal": internal, "records": cypher.CountEdgesAt(parts.records, ""), "internal_types": cypher.QuoteAny(parts.types),
		}),
	} {
		hits, _ := profile(t, db, text.String(), nil)
		require.Less(t, hits, int64(200), text)
	}
}

// TestAnExactCountFailsWithItsNames: a count whose names cannot be read again fails with the reason.
func TestAnExactCountFailsWithItsNames(t *testing.T) {
	s := openWithoutAudit(t, neo4jtest.Open(t))
	_, err := s.exclusionNow(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	f, err := s.filter(ctx, nodes, nil)
	require.NoError(t, err)
	cancel()
	_, err = s.nodeTotal(ctx, "Counted", f)
	require.ErrorIs(t, err, context.Canceled)
}
