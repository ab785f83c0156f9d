package neo4jsearch_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// hostileTexts are texts with the special characters and keywords of Lucene's query parser, and others.
func hostileTexts() *rapid.Generator[string] {
	signs := rapid.StringOfN(rapid.SampledFrom([]rune(`+-&|!(){}[]^"~*?:\/<>=@#%$,;.'_ `+"`\t\n\u3000\u00a0\u200b\u2028\U0001F600")), 0, 6, -1)
	words := rapid.SampledFrom([]string{
		"AND", "OR", "NOT", "TO", "zebra", "u0022", "x", "é", "東京", "1.5", "secret", "note", "*:*", `\u0022`, "a^9999999999999", "~99",
	})
	others := rapid.StringN(0, 10, 40)
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(signs, words, others), 1, 8), func(parts []string) string { return strings.Join(parts, "") })
}

// TestHostileWordsAreNotSyntax: a user's text is searched for and never parsed as syntax: no text makes the search fail or finds entities
// that do not contain it, and an entity's own text finds it, in any property.
func TestHostileWordsAreNotSyntax(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	s, db := open(t)
	ctx := context.Background()
	keys := []string{"note", "AND", `q"uo\te: x`, "\u3000*"}
	_, err := s.CreateSearchIndex(ctx, indexOn("notes", "Note", keys...))
	require.NoError(t, err)
	db.Exec(t, "CREATE (:Note {note: 'decoy', AND: 'decoy'})", nil)
	var stored []map[string]any
	for i := range 80 {
		// A phrase has no end at a quote; the rest of the text is a phrase.
		text := strings.NewReplacer(`"`, "", "\x00", "").Replace(hostileTexts().Example(i))
		stored = append(stored, map[string]any{keys[i%len(keys)]: fmt.Sprintf("held%d %s", i, text)})
	}
	db.Exec(t, "UNWIND $held AS it CREATE (n:Note) SET n = it", map[string]any{"held": stored})
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	for i, it := range stored {
		key := keys[i%len(keys)]
		text := it[key].(string)
		hits, err := s.Search(ctx, graph.SearchQuery{Words: []graph.Word{{Text: text}}, Paging: graph.Paging{Limit: 10}})
		require.NoError(t, err, "%q", text)
		require.Len(t, hits.Items, 1, "%q", text)
		require.Equal(t, text, hits.Items[0].Node.Properties[key])
		require.Equal(t, []string{key}, hits.Items[0].Matched)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := hostileTexts().Draw(t, "text")
		words, f := graph.ParseWords("q", text)
		if f != nil {
			t.Skip(f.Details)
		}
		hits, err := s.Search(ctx, graph.SearchQuery{Words: words, Paging: graph.Paging{Limit: 1000}})
		require.NoError(t, err)
		for _, hit := range hits.Items {
			require.NotEqual(t, "decoy", hit.Node.Properties["note"])
		}
	})
}

// TestSearchAtItsLimits: the maximum number of words in the maximum number of properties is a query that Lucene accepts, and for a foreign
// index with more properties the fault says what to do.
func TestSearchAtItsLimits(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	s, db := open(t)
	ctx := context.Background()
	keys := make([]string, graph.MaxSearchProperties)
	for i := range keys {
		keys[i] = "p" + strings.Repeat("x", i)
	}
	_, err := s.CreateSearchIndex(ctx, indexOn("wide", "Wide", keys...))
	require.NoError(t, err)
	db.Exec(t, "CREATE (n:Wide) SET n = $it", map[string]any{"it": map[string]any{keys[3]: "a a a", keys[29]: "a b"}})
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	words, f := graph.ParseWords("q", strings.Repeat("a* b ", graph.MaxSearchWords/2))
	require.Nil(t, f)
	q := graph.SearchQuery{Words: words, Paging: graph.Paging{Limit: 10}}
	hits, err := s.Search(ctx, q)
	require.NoError(t, err)
	require.Len(t, hits.Items, 1)
	require.Equal(t, []string{keys[3], keys[29]}, hits.Items[0].Matched)

	share := graph.SharedSearchHits / graph.MaxSearchProperties
	db.Exec(t, "UNWIND range(1, $count) AS i CREATE (:Wide {p: 'many'})", map[string]any{"count": share + 1})
	hits, err = s.Search(ctx, graph.SearchQuery{
		Words: []graph.Word{{Text: "many"}}, Paging: graph.Paging{Limit: 10, Offset: int64(share) - 5},
	})
	require.NoError(t, err)
	require.True(t, hits.Truncated)
	require.Len(t, hits.Items, 5)

	db.Exec(t, "CREATE FULLTEXT INDEX wider FOR (n:Wide) ON EACH [n."+strings.Join(keys, ", n.")+", n."+strings.Join(keys, "y, n.")+"y]", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	_, err = s.Search(ctx, q)
	require.ErrorContains(t, err, "name fewer in property")
	q.Properties = keys[:10]
	_, err = s.Search(ctx, q)
	require.NoError(t, err)
}

// TestConcurrentSearchIndexChanges: of concurrent creates and deletes of one name exactly one succeeds each, and a concurrent search finds
// the index or not, without other errors.
func TestConcurrentSearchIndexChanges(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	s, db := open(t)
	ctx := context.Background()
	db.Exec(t, "CREATE (:Note {note: 'stone'})", nil)
	n := indexOn("notes", "Note", "note")
	const callers = 6
	runConcurrently := func(call func() error, loser fault.Code) {
		t.Helper()
		var succeeded atomic.Int64
		var group sync.WaitGroup
		for range callers {
			group.Go(func() {
				switch err := call(); {
				case err == nil:
					succeeded.Add(1)
				default:
					assert.Equal(t, loser, fault.CodeOf(err), "%v", err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, succeeded.Load())
	}
	stop := make(chan struct{})
	var searching sync.WaitGroup
	searching.Go(func() {
		for {
			_, err := s.Search(ctx, graph.SearchQuery{Words: []graph.Word{{Text: "stone"}}, Paging: graph.Paging{Limit: 1}})
			assert.Contains(t, []fault.Code{"", fault.NotFound, fault.DatabaseUnavailable}, fault.CodeOf(err), "%v", err)
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for range 4 {
		runConcurrently(func() error { _, err := s.CreateSearchIndex(ctx, n); return err }, fault.Conflict)
		runConcurrently(func() error { return s.DeleteSearchIndex(ctx, n.Name) }, fault.NotFound)
	}
	close(stop)
	searching.Wait()
}
