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
	for _, name := range []string{"Person", "Other", "Person"} {
		db.Exec(t, "UNWIND range(1, CASE $name WHEN 'Other' THEN 1000 ELSE 3000 END) AS i CREATE (n:$($name))", map[string]any{"name": name})
	}
	for _, name := range []string{"KNOWS", "OTHER", "KNOWS"} {
		db.Exec(t, "MERGE (n:End) WITH n UNWIND range(1, CASE $name WHEN 'OTHER' THEN 1000 ELSE 3000 END) AS i CREATE (n)-[r:$($name)]->(n)",
			map[string]any{"name": name})
	}
	paging := graph.Paging{Limit: 500}
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
