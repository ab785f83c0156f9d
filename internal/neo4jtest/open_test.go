package neo4jtest_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestOpenGivesACleanDatabase(t *testing.T) {
	testmark.Long(t)
	dirty := func(t *testing.T) {
		db := neo4jtest.Open(t)
		require.Zero(t, db.Count(t, "MATCH (n) RETURN count(n)", nil))
		require.Empty(t, db.Query(t, "SHOW CONSTRAINTS", nil))
		require.Empty(t, db.Query(t, "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP'", nil))
		db.Exec(t, "CREATE CONSTRAINT `odd ``name` FOR (n:Person) REQUIRE n.uuid IS UNIQUE", nil)
		db.Exec(t, "CREATE CONSTRAINT FOR ()-[r:KNOWS]-() REQUIRE r.uuid IS UNIQUE", nil)
		db.Exec(t, "CREATE INDEX born FOR (n:Person) ON (n.born)", nil)
		db.Exec(t, "CREATE FULLTEXT INDEX names FOR (n:Person|Film) ON EACH [n.name]", nil)
		db.Exec(t, "UNWIND range(1, $count) AS i CREATE (a:Person {born: i})-[:KNOWS]->(a)", map[string]any{"count": 12_000})
		require.EqualValues(t, 12_000, db.Count(t, "MATCH ()-[r:KNOWS]->() RETURN count(r)", nil))
	}
	t.Run("first", dirty)
	t.Run("second", dirty)
}

// The label of an index that stays in a prepared database is listed until the index is dropped.
func TestInternalOfCasesIsDropped(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "CREATE INDEX index_of_internal_label IF NOT EXISTS FOR (n:_GRAPHRESTLoud) ON (n.name)", nil)
	db.Exec(t, "CREATE CONSTRAINT _GraphrestTestSecret IF NOT EXISTS FOR (n:_GraphrestSecret) REQUIRE n.uuid IS UNIQUE", nil)
	listed := func() int64 {
		return db.Count(t, "CALL db.labels() YIELD label WHERE label IN ['_GRAPHRESTLoud', '_GraphrestSecret'] RETURN count(*)", nil)
	}
	db.CleanGraph(t)
	require.EqualValues(t, 2, listed())
	db.DropInternalOfCases(t)
	require.Zero(t, listed())
}

func TestOpenWithinATestIsRefused(t *testing.T) {
	neo4jtest.Open(t)
	t.Run("subtest", func(t *testing.T) {
		said := make(chan string, 1)
		go func() {
			defer close(said)
			neo4jtest.Open(fatalRecorder{TB: t, said: said})
		}()
		require.Contains(t, <-said, "TestOpenWithinATestIsRefused already holds the database")
	})
}

// fatalRecorder ends its goroutine at Fatalf, as a test would, without failing the test it stands in for.
type fatalRecorder struct {
	testing.TB
	said chan<- string
}

func (f fatalRecorder) Fatalf(format string, args ...any) {
	f.said <- fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestServersOfTheTestsOwn(t *testing.T) {
	testmark.Long(t)
	server := neo4jtest.FreshServer(t, neo4jdev.Options{})
	t.Run("processes share a server", func(t *testing.T) { processesShareAServer(t, server) })
	t.Run("a test takes the server that is free", func(t *testing.T) { openTakesTheServerThatIsFree(t, server) })

	require.NoError(t, server.Kill())
	again := neo4jtest.FreshServer(t, server.Options())
	require.Equal(t, server.URI, again.URI)
	require.Zero(t, neo4jtest.Connect(t, again).Count(t, "MATCH (n) RETURN count(n)", nil))
}

func processesShareAServer(t *testing.T, server *neo4jdev.Server) {
	db := neo4jtest.Connect(t, server)
	db.Exec(t, "CREATE (:Precious)", nil)

	output, err := runAgainst(server, "").CombinedOutput()
	require.Error(t, err, "a database with somebody's data in it")
	require.Contains(t, string(output), "holds 1 nodes, and the tests delete everything in it")
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Precious) RETURN count(n)", nil))

	var processes [2]*exec.Cmd
	var outputs [2]strings.Builder
	for i := range processes {
		processes[i] = runAgainst(server, server.URI)
		processes[i].Stdout, processes[i].Stderr = &outputs[i], &outputs[i]
		require.NoError(t, processes[i].Start())
	}
	for i, process := range processes {
		require.NoError(t, process.Wait(), "%s", outputs[i].String())
		require.Contains(t, outputs[i].String(), "--- PASS: TestOpenGivesACleanDatabase")
	}
	require.Zero(t, db.Count(t, "MATCH (n) RETURN count(n)", nil), "the last test left a clean database")
}

// openTakesTheServerThatIsFree runs as many tests at a time as there are servers.
func openTakesTheServerThatIsFree(t *testing.T, first *neo4jdev.Server) {
	second := neo4jtest.FreshServer(t, neo4jdev.Options{Password: first.Password})
	t.Setenv("NEO4J_URI", first.URI)
	t.Setenv("NEO4J_USERNAME", first.Username)
	t.Setenv("NEO4J_PASSWORD", first.Password)
	t.Setenv("NEO4J_DATABASE", "neo4j")
	t.Setenv(neo4jtest.WipeVariable, first.URI+","+second.URI)
	var uris [2]string
	t.Run("one", func(t *testing.T) {
		db := neo4jtest.Open(t)
		uris[0] = db.URI
		db.Exec(t, "CREATE (:Mine)", nil)
		other := make(chan string)
		go func() {
			defer close(other)
			holder := &cleaner{TB: t}
			defer holder.clean()
			db := neo4jtest.Open(holder)
			db.Exec(t, "CREATE (:Theirs)", nil)
			other <- db.URI
		}()
		uris[1] = <-other
		<-other
		require.EqualValues(t, 1, db.Count(t, "MATCH (n) RETURN count(n)", nil))
	})
	require.ElementsMatch(t, []string{first.URI, second.URI}, uris[:])
}

// cleaner is a test of another name, which ends when its clean is called.
type cleaner struct {
	testing.TB
	after []func()
}

func (c *cleaner) Name() string { return "another" }

func (c *cleaner) Cleanup(f func()) { c.after = append(c.after, f) }

func (c *cleaner) clean() {
	for _, f := range slices.Backward(c.after) {
		f()
	}
}

// runAgainst is this test binary, running one test that fills and checks the database.
func runAgainst(server *neo4jdev.Server, mayWipe string) *exec.Cmd {
	command := exec.Command(os.Args[0], "-test.run=^TestOpenGivesACleanDatabase$", "-test.v", "-test.count=2")
	command.Env = append(os.Environ(), "NEO4J_URI="+server.URI, "NEO4J_USERNAME="+server.Username,
		"NEO4J_PASSWORD="+server.Password, "NEO4J_DATABASE=neo4j", neo4jtest.WipeVariable+"="+mayWipe)
	return command
}
