package neo4jentity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEndsAreVisible: edges of internal types may lead to visible nodes, and every edge of a visible type at an internal node counts, also
// at one whose label came into use after the names were read.
func TestEndsAreVisible(t *testing.T) {
	client, db := openClient(t)
	c := newExclusionCache(client, func(work func()) { go work() })
	many := map[string]int64{"SEEN": manyEdges, "OTHER": manyEdges, "FEW": manyEdges - 1}
	are := func(expected bool, types ...string) {
		t.Helper()
		visible, err := c.EndsAreVisible(t.Context(), types, many)
		require.NoError(t, err)
		require.Equal(t, expected, visible, types)
	}
	db.Exec(t, `CREATE (a:Person)-[:SEEN]->(b:Person)-[:OTHER]->(a)-[:FEW]->(b)-[:_GraphrestSpies]->(a)
		CREATE (a)<-[:_GraphrestSpies]-(:_GraphrestSpy)`, nil)
	_, err := c.ExclusionNow(t.Context())
	require.NoError(t, err)
	are(true)
	are(true, "SEEN")
	are(false, "FEW")
	are(true, "FEW", "OTHER")
	db.Exec(t, "MATCH (s:_GraphrestSpy), (p:Person) WITH s, p LIMIT 1 CREATE (s)<-[:OTHER]-(p)", nil)
	are(false)
	are(false, "SEEN")
	db.Exec(t, "MATCH (:_GraphrestSpy)<-[r:OTHER]-() DELETE r", nil)
	are(true)
	names, err := c.ExclusionNow(t.Context())
	require.NoError(t, err)
	db.Exec(t, "CREATE (:_graphrestNew)-[:SEEN]->(:Person)", nil)
	c.Exclusions.Put(names, time.Now())
	are(false) // nobody knows the label
	_, err = c.ExclusionNow(t.Context())
	require.NoError(t, err)
	are(false)
	db.Exec(t, "MATCH (:_graphrestNew)-[r]->() DELETE r", nil)
	are(true)
}
