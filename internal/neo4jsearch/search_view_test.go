package neo4jsearch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestScoresTellNothingOfHiddenNodes: a score of Lucene depends on how many nodes contain a word, so that whoever may write a word into a
// node could ask whether a hidden one contains it.
func TestScoresTellNothingOfHiddenNodes(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	s, db := open(t)
	_, err := s.CreateSearchIndex(t.Context(), indexOn("notes", "Note", "note"))
	require.NoError(t, err)
	db.Exec(t, "CREATE (:Note {team: 'a', note: 'stone'}), (:Note {team: 'a', note: 'stone and sand'})", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Note","actions":["read"],"where":{"team":{"eq":"a"}}}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	search := func(offset int64, limit int) (scores []float64) {
		db.Exec(t, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()", nil)
		db.Exec(t, "CALL db.awaitIndexes(60)", nil)
		hits, err := s.Search(ctx, graph.SearchQuery{
			Words: []graph.Word{{Text: "stone"}}, Paging: graph.Paging{Limit: limit, Offset: offset},
		})
		require.NoError(t, err)
		for _, hit := range hits.Items {
			scores = append(scores, hit.Score)
		}
		return scores
	}
	before := search(0, 10)
	require.Equal(t, []float64{1, 0.5}, before)
	db.Exec(t, "UNWIND range(1, 5) AS i CREATE (:Note {team: 'b', note: 'stone'})", nil)
	require.Equal(t, before, search(0, 10))
	require.Equal(t, before[1:], search(1, 10), "on the second page")
}
