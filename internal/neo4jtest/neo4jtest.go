// Package neo4jtest gives tests a real Neo4j with a clean database.
//
//	func TestMain(m *testing.M) { neo4jtest.Main(m) }
//
//	func TestCreateNode(t *testing.T) {
//		db := neo4jtest.Open(t)
//		db.Exec(t, "CREATE (:Person {name: $name})", map[string]any{"name": "Ann"})
//		require.EqualValues(t, 1, db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
//	}
//
// Which server: the one named by NEO4J_URI (with NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE) if set; otherwise
// each test binary starts its own at the first Open and Main stops it. `go run ./cmd/neo4jrun -- go test ./...`
// starts one for all binaries. A server that cannot be had fails the test and says what to install; it never skips.
//
// Neo4j Community has a single database, so Open empties it, and holds a lock between processes until the test ends:
// tests that use Open run one after another, also across the packages of `go test ./...` at any -p, or as many at a time
// as there are servers (neo4jrun -servers 2). Hence such tests gain little from t.Parallel, and a test must not call Open
// twice, nor a subtest Open while its parent holds one.
// What no test can undo stays: the names of property keys, labels and relationship types, and users made by CREATE
// USER. A test that counts or exhausts those needs a FreshServer.
package neo4jtest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jdev"
	"graphrest/internal/testmark"
)

// WipeVariable lists, with commas, the servers that Open may empty when they are not empty to begin with. If NEO4J_URI is
// one of them, Open takes any that no other test holds; all have the same user and password. A server that is not in the
// list, with nodes in it, perhaps somebody's own, is refused. cmd/neo4jrun sets it.
const WipeVariable = "NEO4J_TEST_WIPE"

// DB is a database that belongs to one test until the test ends.
type DB struct {
	URI, Username, Password, Database string
	// Driver is closed when the test ends.
	Driver neo4j.DriverWithContext
}

// Environ is the environment of a gateway on the database, as name=value.
func (db *DB) Environ() []string {
	return []string{
		"NEO4J_URI=" + db.URI, "NEO4J_USERNAME=" + db.Username, "NEO4J_PASSWORD=" + db.Password, "NEO4J_DATABASE=" + db.Database,
	}
}

// Open returns a database without nodes, edges, constraints and indexes (the two token look-up indexes of a new
// database stay). It waits for other tests to finish theirs, empties the database again when the test ends, and
// fails the test when there is no Neo4j to be had. Most tests do with OpenPrepared, which is quicker.
func Open(t testing.TB) *DB {
	t.Helper()
	return open(t, (*DB).Clean)
}

// OpenPrepared is Open for tests to which it does not matter that the gateway's own constraints and indexes, and the id constraints of
// common types, may be there already, from a test before: each takes long to make again, and all plans of statements are lost with it.
func OpenPrepared(t testing.TB) *DB {
	t.Helper()
	return open(t, (*DB).CleanGraph)
}

func open(t testing.TB, clean func(*DB, testing.TB)) *DB {
	t.Helper()
	testmark.RequireChosen(t)
	target := hold(t, sharedTargets(t))
	db := connect(t, target)
	if !target.mayWipe {
		refuseForeign(t, db)
	}
	clean(db, t)
	t.Cleanup(func() {
		if target.mayWipe { // the next test drops what it cannot use
			clean = (*DB).CleanGraph
		}
		clean(db, t)
	})
	return db
}

// Connect returns a DB on a server that the test runs itself (FreshServer), without emptying it and without a lock.
func Connect(t testing.TB, server *neo4jdev.Server) *DB {
	t.Helper()
	return connect(t, testServer{uri: server.URI, username: server.Username, password: server.Password, database: "neo4j"})
}

// FreshServer starts a Neo4j for this test alone, for tests that stop, kill, pause or configure it, and stops it when
// the test ends. Options may be empty: Dir is then a temporary directory, and Development is always set. To bring a
// server back after Stop or Kill, at the same address with the same data, hand its Options() to FreshServer again.
// It takes about 7 s.
func FreshServer(t testing.TB, options neo4jdev.Options) *neo4jdev.Server {
	t.Helper()
	testmark.RequireChosen(t)
	if options.Dir == "" {
		options.Dir = t.TempDir()
	}
	options.Development = true
	server, err := neo4jdev.Start(context.Background(), options)
	require.NoError(t, err, "a Neo4j for this test")
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		if err := server.Stop(ctx); err != nil {
			t.Errorf("stop Neo4j: %v", err)
		}
	})
	return server
}

// Main runs the tests of a package, stops the server that Open may have started, and exits. Use it as TestMain.
func Main(m *testing.M) { os.Exit(Run(m)) }

// Run is Main for a package that has more to do at the end: it returns the code to exit with. The tests run in UTC, as the gateway does:
// see bolt.FromDriver.
func Run(m *testing.M) int {
	time.Local = time.UTC
	code := m.Run()
	stopOwn()
	return code
}

const (
	stopTimeout = 30 * time.Second
	// queryTimeout bounds one statement of a test; cleaning up a large graph takes the longest.
	queryTimeout = 2 * time.Minute
)

// testServer is a server and the one database of it.
type testServer struct {
	uri, username, password, database string
	mayWipe                           bool
	ownDir                            string // the home of a server of this binary's own
}

// sharedTargets are the servers of which a test may take any.
func sharedTargets(t testing.TB) []testServer {
	t.Helper()
	if uri := os.Getenv("NEO4J_URI"); uri != "" {
		shared := testServer{
			uri:      uri,
			username: environment("NEO4J_USERNAME", environment("NEO4J_USER", neo4jdev.DefaultUsername)),
			password: os.Getenv("NEO4J_PASSWORD"),
			database: environment("NEO4J_DATABASE", "neo4j"),
		}
		wipeable := strings.Split(os.Getenv(WipeVariable), ",")
		if !slices.Contains(wipeable, uri) {
			return []testServer{shared}
		}
		targets := make([]testServer, len(wipeable))
		for i, uri := range wipeable {
			targets[i] = shared
			targets[i].uri, targets[i].mayWipe = uri, true
		}
		return targets
	}
	server, err := own()
	if err != nil {
		t.Fatalf("this test needs a Neo4j: %v", err)
	}
	return []testServer{{
		uri: server.URI, username: server.Username, password: server.Password, database: "neo4j",
		mayWipe: true, ownDir: server.Dir(),
	}}
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func connect(t testing.TB, target testServer) *DB {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext(target.uri, neo4j.BasicAuth(target.username, target.password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = driver.Close(context.Background()) })
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := driver.VerifyConnectivity(ctx); err != nil {
		t.Fatalf("this test needs the Neo4j at %s: %v", target.uri, err)
	}
	return &DB{URI: target.uri, Username: target.username, Password: target.password, Database: target.database, Driver: driver}
}

// refuseForeign stops before somebody's data is lost to a NEO4J_URI left over in the environment.
func refuseForeign(t testing.TB, db *DB) {
	t.Helper()
	if nodes := db.Count(t, "MATCH (n) RETURN count(n)", nil); nodes > 0 {
		t.Fatalf("NEO4J_URI=%s holds %d nodes, and the tests delete everything in it: unset NEO4J_URI, or allow it with %s=%s",
			db.URI, nodes, WipeVariable, db.URI)
	}
}

// holders are the tests of this process that hold a database, by name.
var holders sync.Map

// hold takes the first database that comes free for this test, and refuses what would wait for itself forever.
func hold(t testing.TB, targets []testServer) testServer {
	t.Helper()
	name := t.Name()
	holders.Range(func(key, _ any) bool {
		if holder := key.(string); holder == name || strings.HasPrefix(name, holder+"/") {
			t.Fatalf("neo4jtest.Open: %s already holds the database; pass its DB on instead", holder)
		}
		return true
	})
	for ; ; time.Sleep(10 * time.Millisecond) {
		for _, target := range targets {
			lock, err := neo4jdev.TryLockFile(lockPath(target))
			require.NoError(t, err)
			if lock == nil {
				continue
			}
			holders.Store(name, true)
			t.Cleanup(func() {
				holders.Delete(name)
				lock.Release()
			})
			return target
		}
	}
}

// Exec runs a statement in a separate transaction and fails the test on an error.
func (db *DB) Exec(t testing.TB, cypher string, params map[string]any) {
	t.Helper()
	db.run(t, cypher, params)
}

// execAll runs statements in one transaction, which takes a fraction of the time where they change the schema.
func (db *DB) execAll(t testing.TB, statements []string) {
	t.Helper()
	if len(statements) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer session.Close(context.WithoutCancel(ctx))
	_, err := session.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
		for _, statement := range statements {
			result, err := tx.Run(ctx, statement, nil)
			if err == nil {
				_, err = result.Consume(ctx)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil, nil
	})
	require.NoError(t, err)
}

// Query runs a statement in a separate transaction and returns its rows by column, in the driver's values
// (neo4j.Node, neo4j.Relationship, int64, dbtype.Date ...). It fails the test on an error.
func (db *DB) Query(t testing.TB, cypher string, params map[string]any) []map[string]any {
	t.Helper()
	records := db.run(t, cypher, params)
	rows := make([]map[string]any, len(records))
	for i, record := range records {
		rows[i] = record.AsMap()
	}
	return rows
}

// Count runs a statement that returns one integer, such as "MATCH (n) RETURN count(n)", and returns it.
func (db *DB) Count(t testing.TB, cypher string, params map[string]any) int64 {
	t.Helper()
	records := db.run(t, cypher, params)
	require.Len(t, records, 1, "rows of %s", cypher)
	require.Len(t, records[0].Values, 1, "columns of %s", cypher)
	count, isInteger := records[0].Values[0].(int64)
	require.True(t, isInteger, "%s returned a %T, not an integer", cypher, records[0].Values[0])
	return count
}

func (db *DB) run(t testing.TB, cypher string, params map[string]any) []*neo4j.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	records, err := db.collect(ctx, cypher, params)
	require.NoError(t, err, "cypher: %s", cypher)
	return records
}

func (db *DB) collect(ctx context.Context, cypher string, params map[string]any) ([]*neo4j.Record, error) {
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer session.Close(context.WithoutCancel(ctx))
	result, err := session.Run(ctx, cypher, params)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	return result.Collect(ctx)
}
