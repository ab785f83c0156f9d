package neo4jstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// TestSortedNodesAreReadByTheStatementThatOrdersThem: one statement reads a page. Where an index has the order, it tests one label only,
// until a page has an internal node that somebody gave a visible label.
func TestSortedNodesAreReadByTheStatementThatOrdersThem(t *testing.T) {
	testmark.EveryRelease(t)
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	for _, statement := range []string{
		"UNWIND range(1, 600) AS i CREATE (:Person {n: i, t: i % 2})",
		"CREATE INDEX person_n FOR (n:Person) ON (n.n)", "CALL db.awaitIndexes(60)",
	} {
		db.Exec(t, statement, nil)
	}
	page := func(property string, from *graph.Page[graph.Node]) (graph.Page[graph.Node], []string) {
		q := graph.NodeQuery{Type: "Person", Sort: graph.Sort{{Property: property}}, Paging: graph.Paging{Limit: 10}}
		if from != nil {
			q.After = from.Next
		}
		sent.take()
		page, err := s.Nodes(t.Context(), q)
		require.NoError(t, err)
		require.Len(t, page.Items, 10)
		lists := slices.DeleteFunc(sent.take(), func(name string) bool { return !strings.HasPrefix(name, "list_nodes") })
		return page, lists
	}
	top, chosen := "list_nodes_top", "list_nodes_chosen"
	first, statements := page("n", nil)
	require.Equal(t, []string{top}, statements)
	second, statements := page("n", &first)
	require.Equal(t, []string{top}, statements)
	require.EqualValues(t, 11, second.Items[0].Properties["n"])

	first, statements = page("t", nil) // without an index
	require.Equal(t, []string{top}, statements)
	second, _ = page("t", &first)
	_, statements = page("t", &second)
	require.Equal(t, []string{top, chosen}, statements, "more rows than the page has entities")

	db.Exec(t, "CREATE (:_GraphrestUser:Person {folded: 'spy', username: 'spy', n: 0})", nil)
	for _, want := range [][]string{{top, top}, {top}} {
		first, statements = page("n", nil)
		require.Equal(t, want, statements)
		require.EqualValues(t, 1, first.Items[0].Properties["n"])
	}
}
