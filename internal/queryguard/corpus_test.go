package queryguard_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/queryguard"
	"graphrest/internal/testmark"
)

// dailyPart is which part of the corpus the tests of every day try, by the number of a line.
const dailyPart = 12

// corpusLine is a line of a file of queries.
type corpusLine struct {
	number int
	fields []string
	query  string
}

func readCorpus(t testing.TB, name string) []corpusLine {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	var lines []corpusLine
	scanner := bufio.NewScanner(file)
	for number := 1; scanner.Scan(); number++ {
		if strings.HasPrefix(scanner.Text(), "#") {
			continue
		}
		fields := strings.Split(scanner.Text(), "\t")
		line := corpusLine{number: number, fields: fields[:len(fields)-1]}
		require.NoError(t, json.Unmarshal([]byte(fields[len(fields)-1]), &line.query), scanner.Text())
		lines = append(lines, line)
	}
	require.NoError(t, scanner.Err())
	return lines
}

// The corpus shows nothing if it is small.
func TestCorpusIsLarge(t *testing.T) {
	require.GreaterOrEqual(t, len(readCorpus(t, "hostile.tsv")), 300)
	require.GreaterOrEqual(t, len(readCorpus(t, "good.tsv")), 100)
}

// visibleData is what clients have; internalData is what no query may show: a user, edges of an internal type between nodes of clients,
// nodes with a label of clients beside an internal one, and edges of a client's type that begin or end at an internal node.
var (
	visibleData = []string{
		`CREATE (a:Person {name: 'a', age: 30})-[:KNOWS {since: 2, w: 1, note: 'note'}]->(b:Person {name: 'b'})
		   -[:KNOWS {w: 1}]->(c:Person:Student {name: 'c', age: 20})-[:KNOWS]->(d:Person {name: 'd', age: 30}),
		   (d)-[:LIVES_IN]->(x:City {name: 'x'}),
		   (a)-[:LIVES_IN]->(x), (:Person {name: 'e'})`,
		`CREATE INDEX person_name FOR (n:Person) ON (n.name)`,
		`CREATE FULLTEXT INDEX ft FOR (n:Person|City) ON EACH [n.name]`,
		`CREATE FULLTEXT INDEX ftr FOR ()-[r:KNOWS]-() ON EACH [r.note]`,
		`CREATE VECTOR INDEX v FOR (n:Person) ON (n.embedding) OPTIONS {indexConfig: {` +
			"`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
		`MATCH (n:Person) SET n.embedding = [1.0, 0.5]`,
		`CALL db.awaitIndexes(60)`,
	}
	internalData = []string{
		`CREATE (:_GraphrestUser {name: 'root', username: 'root'})-[:_GraphrestHas]->(:_GraphrestPermission {name: 'admin'}),
		   (:_GraphrestAbc {name: 'a', w: 1}), (:_GRAPHRESTODD {name: 'odd'})`,
		`MATCH (a:Person {name: 'a'}), (b:Person {name: 'b'}), (d:Person {name: 'd'}), (x:City)
		 CREATE (a)-[:KNOWS {note: 'secret', w: 1}]->(s:Person:_GraphrestOdd {name: 'secret', age: 1, embedding: [1.0, 0.5]}),
		   (s)-[:KNOWS {w: 1}]->(d),
		   (s)-[:KNOWS {note: 'secret'}]->(s), (a)-[:_GraphrestLink {w: 1}]->(d), (a)-[:_GraphrestLink]->(b), (s)-[:LIVES_IN]->(x),
		   (:_GraphrestUser {name: 'other'})-[:KNOWS]->(a), (a)-[:_graphrestLower]->(x)`,
	}
)

func newGuard(db *neo4jtest.DB, t testing.TB) (*queryguard.Guard, *bolt.Client) {
	t.Helper()
	client := neo4jstoretest.ClientOf(db)
	opened, err := bolt.Open(client)
	require.NoError(t, err)
	t.Cleanup(func() { _ = opened.Close(t.Context()) })
	return queryguard.New(queryguard.Config{Client: opened}), opened
}

// runnable are the parameters of the corpus.
var runnable = map[string]any{
	"name": "a", "min": 1, "names": []any{"a", "b"}, "key": "name", "rows": []any{}, "label": "X", "url": "http://127.0.0.1/", "index": "ft",
}

// answer runs an accepted query and returns its rows in byte order, or the error.
func answer(t *testing.T, client *bolt.Client, checked queryguard.Checked) string {
	t.Helper()
	records, err := client.Read(t.Context(), checked.Text, runnable)
	if err != nil {
		return fault.As(queryguard.Translate(err)).Error()
	}
	rows := make([]string, 0, len(records))
	for _, record := range records {
		rows = append(rows, fmt.Sprintf("%v", record.Values))
	}
	slices.Sort(rows)
	return strings.Join(rows, "\n")
}

// judged is the outcome of a query: a refusal, an error in it, or its answer.
type judged struct {
	verdict, reasons, answer string
	operators                []string
}

func judge(t *testing.T, guard *queryguard.Guard, client *bolt.Client, request queryguard.Request) judged {
	t.Helper()
	query := request.Text
	request.Parameters = runnable
	verdict, err := guard.Explain(t.Context(), request)
	if err != nil {
		require.Equal(t, fault.Validation, fault.CodeOf(err), "%s: %v", query, err)
		return judged{verdict: "invalid", reasons: err.Error()}
	}
	if !verdict.Accepted {
		require.NotEmpty(t, verdict.Reasons, query)
		require.Empty(t, verdict.Checked.Text.String(), query)
		return judged{verdict: "refused", reasons: fmt.Sprint(verdict.Reasons)}
	}
	return judged{verdict: "accepted", answer: answer(t, client, verdict.Checked), operators: verdict.Checked.Operators}
}

func TestHostileQueriesAreRefused(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	execute(t, db, visibleData)
	guard, client := newGuard(db, t)
	for _, line := range readCorpus(t, "hostile.tsv") {
		if want := line.fields[0]; want == "refused" || want == "invalid" {
			got := judge(t, guard, client, queryguard.Request{Text: line.query})
			assert.Equal(t, want, got.verdict, "line %d: %s: %s", line.number, line.query, got.reasons)
			assert.Contains(t, got.reasons, line.fields[1], "line %d: %s", line.number, line.query)
		}
	}
}

func execute(t testing.TB, db *neo4jtest.DB, statements []string) {
	t.Helper()
	for _, statement := range statements {
		db.Exec(t, statement, nil)
	}
}

func TestQueriesNeitherShowNorCountInternalData(t *testing.T) {
	testmark.EveryRelease(t)
	compareWithInternalData(t, func(line corpusLine) bool { return line.number%dailyPart == 0 })
}

func TestNoQueryShowsOrCountsInternalData(t *testing.T) {
	testmark.Long(t)
	testmark.EveryRelease(t)
	compareWithInternalData(t, func(corpusLine) bool { return true })
}

// compareWithInternalData runs queries on a database without internal data and again with it.
func compareWithInternalData(t *testing.T, chosen func(corpusLine) bool) {
	t.Helper()
	db := neo4jtest.Open(t)
	calendar := strings.HasPrefix(db.Query(t, "CALL dbms.components() YIELD versions RETURN versions[0] AS v", nil)[0]["v"].(string), "20")
	var lines []corpusLine
	for _, name := range []string{"hostile.tsv", "good.tsv"} {
		for _, line := range readCorpus(t, name) {
			wanted := line.fields[0] == "safe" || line.fields[0] == "any" || line.fields[0] == "calendar" && calendar
			if wanted && chosen(line) {
				lines = append(lines, line)
			}
		}
	}
	execute(t, db, visibleData)
	language := 5
	if calendar {
		language = 25 // of a new database
	}
	without := judgeAll(t, db, lines, language)
	execute(t, db, internalData)
	with := judgeAll(t, db, lines, language)
	accepted := 0
	for i, line := range lines {
		if line.fields[0] != "safe" {
			assert.Equal(t, "accepted", with[i].verdict, "line %d: %s: %s", line.number, line.query, with[i].reasons)
			assert.NotContains(t, with[i].answer, "VALIDATION_ERROR", line.query)
		}
		if with[i].verdict != "accepted" || without[i].verdict != "accepted" {
			continue
		}
		accepted++
		if !strings.Contains(line.query, "node.name, score") { // the score of a hit depends on how many entities an index has
			assert.Equal(t, without[i].answer, with[i].answer, "line %d: %s", line.number, line.query)
		}
		assert.NotContains(t, strings.ToLower(with[i].answer), "secret", "line %d: %s", line.number, line.query)
		assert.NotContains(t, strings.ToLower(with[i].answer), "_graphrest", "line %d: %s", line.number, line.query)
	}
	require.Greater(t, accepted, len(lines)/2, "most of the queries show something only if they are accepted")
}

func judgeAll(t *testing.T, db *neo4jtest.DB, lines []corpusLine, language int) []judged {
	t.Helper()
	guard, client := newGuard(db, t)
	outcomes := make([]judged, 0, len(lines))
	for _, line := range lines {
		var allow []string
		if line.fields[0] == "safe" {
			allow = queryguard.Allowable()
		}
		outcomes = append(outcomes, judge(t, guard, client, queryguard.Request{Text: line.query, Allow: allow, Language: language}))
	}
	return outcomes
}
