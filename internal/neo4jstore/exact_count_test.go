package neo4jstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// TestAnExactCountIsOneStatement: it returns the names in use as well, and runs again if they need another one.
func TestAnExactCountIsOneStatement(t *testing.T) {
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t, "CREATE (a:Counted)-[:COUNTED]->(:Counted)", nil)
	count := func() (nodes, edges int64, statements []string) {
		paging := graph.Paging{Limit: 1, Count: true}
		byNode, err := s.Nodes(t.Context(), graph.NodeQuery{Type: "Counted", Paging: paging})
		require.NoError(t, err)
		byEdge, err := s.Edges(t.Context(), graph.EdgeQuery{Type: "COUNTED", Paging: paging})
		require.NoError(t, err)
		counting := func(name string) bool { return strings.HasSuffix(name, "_total") || name == "names_in_use" }
		return *byNode.Total, *byEdge.Total, slices.DeleteFunc(sent.take(), func(name string) bool { return !counting(name) })
	}
	_, _, _ = count() // reads the names
	nodes, edges, statements := count()
	require.EqualValues(t, []int64{2, 1}, []int64{nodes, edges})
	require.LessOrEqual(t, len(statements), 3, "the names are read again after some seconds at most: %v", statements)

	db.Exec(t, "CREATE (a:_GraphrestLater:Counted)-[:COUNTED]->(:Counted)", nil)
	nodes, edges, _ = count()
	require.EqualValues(t, []int64{3, 1}, []int64{nodes, edges})
}
