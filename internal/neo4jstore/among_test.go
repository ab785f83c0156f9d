package neo4jstore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// TestEdgesAmongNodesDoNotExpandTheHub: the cost is that of the ordinary nodes, whatever the degree of the node with the most edges; its
// self-loop is found as well, by expanding it.
func TestEdgesAmongNodesDoNotExpandTheHub(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	const degree, shown = 20_000, 500
	db.Exec(t, "UNWIND range(1, $degree) AS i CREATE (:Person {n: i})", map[string]any{"degree": degree})
	db.Exec(t, "CREATE (h:Person {n: 0}) WITH h MATCH (p:Person) WHERE p.n > 0 CREATE (p)-[:KNOWS]->(h)", nil)
	db.Exec(t, "MATCH (p:Person) WHERE 0 < p.n <= $shown WITH collect(p) AS them UNWIND range(0, size(them) - 2) AS i "+
		"WITH them[i] AS a, them[i + 1] AS b CREATE (a)-[:LIKES]->(b)", map[string]any{"shown": shown})
	var elements []any
	for _, row := range db.Query(t, "MATCH (p:Person) WHERE p.n <= $shown RETURN elementId(p) AS id", map[string]any{"shown": shown}) {
		elements = append(elements, row["id"])
	}
	run := func(edges cypher.Fragment, types any) (int64, int) {
		text := cypher.EdgesAmong.Text(cypher.Slots{"edges": edges, "view": cypher.True, "limit": cypher.Limit(false)}).String()
		params := map[string]any{"elements": []any{elements}, "types": types, "max_edges": 10_001, "view": map[string]any{}}
		return neo4jtest.Profile(t, db, text, params)
	}
	hits, found := run(cypher.AnyEdge, nil)
	t.Logf("%d db hits for %d nodes with a hub of %d edges", hits, len(elements), degree)
	require.Equal(t, shown+shown-1, found)
	require.Less(t, hits, int64(degree))
	hits, found = run(cypher.EdgeOf(cypher.Quote("LIKES")), nil)
	require.Equal(t, shown-1, found)
	require.Less(t, hits, int64(degree))
	hits, found = run(cypher.AnyEdge, []string{"LIKES", "OWNS"})
	require.Equal(t, shown-1, found)
	require.Less(t, hits, int64(degree))

	db.Exec(t, "MATCH (h:Person {n: 0}) CREATE (h)-[:KNOWS]->(h)", nil)
	_, found = run(cypher.AnyEdge, nil)
	require.Equal(t, shown+shown, found)
}
