package neo4jsearch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// TestASearchKnowsTheIndexesOfTheMoment: a search uses an index that somebody created in Cypher after the one before, and none that was
// dropped since.
func TestASearchKnowsTheIndexesOfTheMoment(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	s, db := open(t)
	search := func() (graph.Hits, error) {
		return s.Search(t.Context(), graph.SearchQuery{Words: []graph.Word{{Text: "stone"}}, Paging: graph.Paging{Limit: 10}})
	}
	db.Exec(t, "CREATE (:Note {note: 'stone'})", nil)
	for range 2 {
		_, err := search()
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		db.Exec(t, "CREATE FULLTEXT INDEX found FOR (n:Note) ON EACH [n.note]", nil)
		db.Exec(t, "CALL db.awaitIndexes(60)", nil)
		hits, err := search()
		require.NoError(t, err)
		require.Len(t, hits.Items, 1)
		db.Exec(t, "DROP INDEX found", nil)
	}
}
