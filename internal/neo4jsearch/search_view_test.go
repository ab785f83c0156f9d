package neo4jsearch_test

import (
	"slices"
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

// TestSearchUsesWhatEachNodeShows: a word in a hidden property neither finds a node nor raises its rank, while the same property of others
// is searched.
func TestSearchUsesWhatEachNodeShows(t *testing.T) {
	s, db := open(t)
	_, err := s.CreateSearchIndex(t.Context(), indexOn("notes", "Note", "note", "secret"))
	require.NoError(t, err)
	db.Exec(t, `UNWIND [{n: 0, team: 'a', note: 'stone'}, {n: 1, team: 'a', note: 'stone', secret: 'stone stone'},
		{n: 2, team: 'b', note: 'sand', secret: 'stone'}, {n: 3, team: 'a', note: 'sand', secret: 'stone'}] AS properties
		CREATE (n:Note) SET n = properties`, nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Note","actions":["read"],"hidden":["secret"]},
		{"kind":"node","type":"Note","actions":["read"],"where":{"team":{"eq":"b"}}}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	search := func(words ...string) (numbers []int64, matched [][]string) {
		q := graph.SearchQuery{Paging: graph.Paging{Limit: 10}}
		for _, word := range words {
			q.Words = append(q.Words, graph.Word{Text: word, Prefix: len(word) < 4})
		}
		hits, err := s.Search(ctx, q)
		require.NoError(t, err)
		for _, hit := range hits.Items {
			n, _ := hit.Node.Properties["n"].(int64)
			numbers, matched = append(numbers, n), append(matched, hit.Matched)
			require.Equal(t, n == 2, hit.Node.Properties["secret"] != nil)
		}
		return numbers, matched
	}
	numbers, matched := search("stone")
	require.Len(t, numbers, 3)
	at := slices.Index(numbers, 2)
	require.Equal(t, []string{"secret"}, matched[at])
	require.Equal(t, []int64{0, 1}, slices.Delete(numbers, at, at+1), "the hidden words of one do not raise its rank")
	numbers, matched = search("sto", "sand")
	require.Equal(t, []int64{2}, numbers)
	require.Equal(t, [][]string{{"note", "secret"}}, matched)
}
