package neo4jsearch_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// TestSearchFoldsAccents: with an analyzer that folds, accents decide neither in words nor in prefixes, and a word is found whichever way
// its letters are composed, by either sigma and, if asked, with a typing error.
func TestSearchFoldsAccents(t *testing.T) {
	s, db := open(t)
	ctx := context.Background()
	index := indexOn("people", "Person", "name", "note")
	index.Analyzer = "standard-folding"
	_, err := s.CreateSearchIndex(ctx, index)
	require.NoError(t, err)
	db.Exec(t, "UNWIND $names AS name CREATE (:Person {name: name})", map[string]any{"names": []any{
		"Søren García Łukasz", "Anna Eriksson", "Οδυσσέας", "Jose\u0301 Orta", "काला",
		"Ange\u0301lique O'Brien", "ange", "The Lord of the Rings", "D’Arge\u0301",
	}})
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	find := func(text string, fuzzy bool) (names []string) {
		words, f := graph.ParseWords("q", text)
		require.Nil(t, f)
		if fuzzy {
			words = graph.AllowTypos(words)
		}
		hits, err := s.Search(ctx, graph.SearchQuery{Words: words, Paging: graph.Paging{Limit: 10}})
		require.NoError(t, err, text)
		for i := range hits.Items {
			names = append(names, hits.Items[i].Node.Properties["name"].(string))
		}
		return names
	}
	for _, text := range []string{"soren", "SØREN", "søren*", "Sør*", "garc*", "GARCÍ*", "lukasz", "Łuk*", "garcia soren"} {
		require.Equal(t, []string{"Søren García Łukasz"}, find(text, false), text)
	}
	for _, text := range []string{"eriks*", "Eriksson"} {
		require.Equal(t, []string{"Anna Eriksson"}, find(text, false), text)
	}
	for _, text := range []string{"Οδυσσέας", "οδυσσέασ", "ΟΔΥΣΣΈΑΣ"} {
		require.Equal(t, []string{"Οδυσσέας"}, find(text, false), text)
	}
	for _, text := range []string{"José", "Jose\u0301", "JOSÉ"} {
		require.Equal(t, []string{"Jose\u0301 Orta"}, find(text, false), text)
	}
	for _, text := range []string{"οδυσσεας", "ΟΔΥΣΣΕΑΣ", "οδυσσεασ", "Οδύσ*", "οδυσσε*"} {
		require.Equal(t, []string{"Οδυσσέας"}, find(text, false), text)
	}
	for _, text := range []string{"angelique", "Angélique", "angeliq*", "Angél*", "o'br*", "O’BR*", "o’brien", "angelique o'*"} {
		require.Equal(t, []string{"Ange\u0301lique O'Brien"}, find(text, false), text)
	}
	for _, text := range []string{"lord of the rings", "the lord", "Rings*", "the lord of*", "lord of the*", "LORD OF*"} {
		require.Equal(t, []string{"The Lord of the Rings"}, find(text, false), text)
	}
	require.Equal(t, []string{"D’Arge\u0301"}, find("d'arge", false))
	require.Equal(t, []string{"ange"}, find("ange", false), "an accent is not the end of a word")
	require.Empty(t, find("कि*", false), "vowel signs are no accents")
	for _, text := range []string{"Erikson", "eriksosn", "anna ericsson"} {
		require.Empty(t, find(text, false), text)
		require.Equal(t, []string{"Anna Eriksson"}, find(text, true), text)
	}
	require.Equal(t, []string{"Søren García Łukasz"}, find("sören garsia", true))
	require.Empty(t, find("xyz", true))
	require.Equal(t, []string{"The Lord of the Rings"}, find("lord with their ring", true), "words that are in no text")
	require.Equal(t, []string{"The Lord of the Rings"}, find("the ring*", false))
	require.Empty(t, find("the*", false))
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"],"hidden":["note"]},
		{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":"b"}}}]`)
	require.Nil(t, f)
	ctx = rules.WithView(ctx, rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	for _, text := range []string{"lord of the rings", "lord of*", "rings*"} {
		require.Equal(t, []string{"The Lord of the Rings"}, find(text, false), "%s, where what is shown depends on the node", text)
	}
}

// TestSearchOfWordsWithSigns: whether an index splits a word at a sign or not, its prefixes are found, and so are typing errors beside an
// apostrophe or in a word with an accent.
func TestSearchOfWordsWithSigns(t *testing.T) {
	s, db := open(t)
	ctx := t.Context()
	plain, folding := indexOn("plain", "Plain", "name"), indexOn("folding", "Folding", "name")
	folding.Analyzer = "standard-folding"
	names := []any{
		"v1.2.3", "snake_case.py", "12.50", "bob.smith@acme.io", "report-v1.9.txt", "rock-n-roll", "AC/DC", "Zürich", "O'Hare", "L’Aquila",
	}
	for _, index := range []graph.NewSearchIndex{plain, folding} {
		_, err := s.CreateSearchIndex(ctx, index)
		require.NoError(t, err)
		db.Exec(t, "UNWIND $names AS name CREATE (n:$($type)) SET n.name = name", map[string]any{"names": names, "type": string(index.Types[0])})
	}
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	for _, index := range []string{"plain", "folding"} {
		find := func(text string, fuzzy bool) (names []string) {
			words, f := graph.ParseWords("q", text)
			require.Nil(t, f)
			if fuzzy {
				words = graph.AllowTypos(words)
			}
			hits, err := s.Search(ctx, graph.SearchQuery{Words: words, Indexes: []string{index}, Paging: graph.Paging{Limit: 10}})
			require.NoError(t, err, text)
			for i := range hits.Items {
				names = append(names, hits.Items[i].Node.Properties["name"].(string))
			}
			return names
		}
		for text, want := range map[string]string{
			"v1.2*": "v1.2.3", "v1.2.3*": "v1.2.3", "snake_*": "snake_case.py", "snake_case*": "snake_case.py", "12.5*": "12.50",
			"bob.sm*": "bob.smith@acme.io", "report-v1.9*": "report-v1.9.txt", "rock-n-ro*": "rock-n-roll", "rock-*": "rock-n-roll",
			"AC/D*": "AC/DC",
		} {
			require.Equal(t, []string{want}, find(text, false), "%s in %s", text, index)
		}
		for text, want := range map[string]string{"O'Hara": "O'Hare", "l'aquilla": "L’Aquila", "zürih": "Zürich", "Zürcih": "Zürich"} {
			if index == "plain" && text == "l'aquilla" {
				continue // an apostrophe counts as a letter there
			}
			require.Equal(t, []string{want}, find(text, true), "%s in %s", text, index)
		}
	}
}
