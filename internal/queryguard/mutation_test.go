package queryguard_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/queryguard"
	"graphrest/internal/testmark"
)

// How many changed queries and how many generated ones are tried, and of the latter every day.
const (
	mutants        = 300
	generated      = 400
	generatedDaily = 25
)

// fragments are what a mutation puts into a query.
var fragments = []string{
	"(n)", "--", "-->", "<--", "-[r]-", "-[*1..2]-", "-[:KNOWS*1..2]->", "(a)--(b)", "[(a)--(x) | x.name]", "COUNT { (a)--() }",
	"{1,2}", ":!Person", ":%", "|", "&", "WHERE true OR", "OR (a)--()", "RETURN *", "WITH *",
	"CALL { MATCH (n) RETURN count(n) AS k }", "UNION", "'", "\"", "`", "//", "/*", "*/", "\n", "\\", "$('Person')",
	"EXISTS { (n) }", "shortestPath(", "p =", "ANY", "ALL SHORTEST", "(", ")", "[", "]", "{", "}", ",", "|", ":", ".", "IS", "NOT",
	"x IN", "AS x", "DISTINCT", "OPTIONAL MATCH", "labels(a)", "count(*)", "a", "1", "-", "<", ">", "=", "startNode(r)", "n {.*}",
	"CYPHER 5", ";", "IN", "UNWIND [1] AS u",
}

// mutate changes a query in a place or two.
func mutate(random *rand.Rand, query string) string {
	words := strings.SplitAfter(query, " ")
	for range 1 + random.IntN(2) {
		at := random.IntN(len(words))
		switch random.IntN(4) {
		case 0:
			words = append(words[:at:at], append([]string{fragments[random.IntN(len(fragments))] + " "}, words[at:]...)...)
		case 1:
			words[at] = fragments[random.IntN(len(fragments))] + " "
		case 2:
			other := random.IntN(len(words))
			words[at], words[other] = words[other], words[at]
		default:
			if cut := random.IntN(len(words[at]) + 1); cut > 0 {
				words[at] = words[at][:cut] + fragments[random.IntN(len(fragments))] + words[at][cut:]
			}
		}
	}
	return strings.Join(words, "")
}

func TestMutatedQueriesNeitherShowNorCountInternalData(t *testing.T) {
	testmark.Long(t)
	testmark.EveryRelease(t)
	random := rand.New(rand.NewPCG(20261128, 44))
	var originals []corpusLine
	for _, name := range []string{"hostile.tsv", "good.tsv"} {
		originals = append(originals, readCorpus(t, name)...)
	}
	compareQueries(t, mutants, func() string { return mutate(random, originals[random.IntN(len(originals))].query) })
}

func TestGeneratedQueriesNeitherShowNorCountInternalData(t *testing.T) {
	testmark.Long(t)
	testmark.EveryRelease(t)
	random := rand.New(rand.NewPCG(5, 44))
	compareQueries(t, generated, func() string { return generatedQuery(random) })
}

func TestSomeGeneratedQueriesNeitherShowNorCountInternalData(t *testing.T) {
	testmark.EveryRelease(t)
	random := rand.New(rand.NewPCG(6, 44))
	compareQueries(t, generatedDaily, func() string { return generatedQuery(random) })
}

// compareQueries compares the answers of queries on a database without internal data and on one with it.
func compareQueries(t *testing.T, count int, query func() string) {
	t.Helper()
	var lines []corpusLine
	for i := range count {
		if q := query(); !strings.Contains(q, "rand") {
			lines = append(lines, corpusLine{number: i, fields: []string{"safe"}, query: q})
		}
	}
	db := neo4jtest.Open(t)
	execute(t, db, visibleData)
	without := judgeAll(t, db, lines, 5)
	execute(t, db, internalData)
	with := judgeAll(t, db, lines, 5)
	outcomes := map[string]int{}
	for i, line := range lines {
		outcomes[with[i].verdict]++
		if with[i].verdict != "accepted" || without[i].verdict != "accepted" {
			continue
		}
		if !strings.Contains(line.query, "score") {
			assert.Equal(t, without[i].answer, with[i].answer, line.query)
		}
		assert.NotContains(t, strings.ToLower(with[i].answer), "secret", line.query)
	}
	t.Log(outcomes)
	require.Positive(t, outcomes["accepted"])
}

// The lexer and the server must agree where strings, names and comments end: otherwise a clause could hide in one. Each text has as many
// columns for the server as for the lexer, or one of them refuses it.
func TestLexerAgreesWithTheServer(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	guard, _ := newGuard(db, t)
	random := rand.New(rand.NewPCG(7, 44))
	pieces := []string{
		"'", "'", "\"", "\"", "`", "`", "\\", "\\\\", "\\'", "/", "//", "/*", "*/", "\n", "\r\n", "a", "1", ",", " ", "\\u0041",
		"\\u0027", "é", "+", "''", "$a",
	}
	agreed := 0
	for range 300 {
		var middle strings.Builder
		for range 1 + random.IntN(9) {
			middle.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := "RETURN 1 AS a, '" + middle.String() + "' AS b\n, 2 AS c"
		columns, accepted := queryguard.CountColumns(text)
		if !accepted {
			continue
		}
		verdict, err := guard.Explain(t.Context(), queryguard.Request{Text: text})
		if err == nil && verdict.Accepted {
			agreed++
			require.Len(t, verdict.Checked.Columns, columns, "%q", text)
		}
	}
	require.Positive(t, agreed)
}
