package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// TestAPageBehindAGap: pages neither repeat nor skip across a gap in the numbers of a type, which is read number by number.
func TestAPageBehindAGap(t *testing.T) {
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	// The gap is made by deleting: the database gives new entities numbers that others had before. They are so many that windows are read
	// even where earlier tests have left the last number far behind.
	db.Exec(t, "CREATE (n:End) WITH n UNWIND range(1, 40000) AS i CREATE (:Person) CREATE (n)-[:KNOWS]->(n)", nil)
	db.Exec(t, "MATCH (n:Person) WITH n ORDER BY n SKIP 3000 LIMIT 1000 DELETE n", nil)
	db.Exec(t, "MATCH ()-[r:KNOWS]->() WITH r ORDER BY r SKIP 3000 LIMIT 1000 DELETE r", nil)
	paging := graph.Paging{Limit: 1000}
	_, ids := pagesOf(t, s, graph.NodeQuery{Type: "Person"}, paging.Limit)
	require.Equal(t, valueColumn(db.Query(t, "MATCH (n:Person) RETURN elementId(n) AS value ORDER BY n", nil)), ids)
	require.True(t, sent.has("list_nodes_onward"))
	ids = nil
	for q := (graph.EdgeQuery{Type: "KNOWS", Paging: paging}); len(ids) == 0 || q.After != nil; {
		page, err := s.Edges(t.Context(), q)
		require.NoError(t, err)
		for _, e := range page.Items {
			ids = append(ids, e.ID)
		}
		q.After = page.Next
	}
	require.Equal(t, valueColumn(db.Query(t, "MATCH ()-[r:KNOWS]->() RETURN elementId(r) AS value ORDER BY r", nil)), ids)
	require.True(t, sent.has("list_edges_onward"))
}
