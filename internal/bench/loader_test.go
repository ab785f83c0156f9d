package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

var smallSize = Size{Nodes: 103, Edges: 211, NodeTypes: 4, EdgeTypes: 5, ListNodes: 350, ListDepth: 200}

func loadSmall(t *testing.T) (*neo4jtest.DB, *database, *Dataset) {
	t.Helper()
	db := neo4jtest.Open(t)
	own := &database{driver: db.Driver, name: db.Database}
	d, err := newDataset(smallSize)
	require.NoError(t, err)
	require.NoError(t, own.load(t.Context(), d, t.Logf))
	return db, own, d
}

func TestLoader(t *testing.T) {
	db, own, d := loadSmall(t)
	require.EqualValues(t, 103+350, db.Count(t, "MATCH (n) RETURN count(n)", nil))
	require.EqualValues(t, 211, db.Count(t, "MATCH ()-[r]->() RETURN count(r)", nil))
	require.EqualValues(t, 5, db.Count(t, "MATCH (n) UNWIND labels(n) AS l RETURN count(DISTINCT l)", nil))
	require.EqualValues(t, 4+1+5, db.Count(t, "SHOW CONSTRAINTS YIELD properties, type WHERE properties = ['uuid'] RETURN count(*)", nil))
	require.EqualValues(t, 0, db.Count(t, "SHOW INDEXES YIELD state WHERE state <> 'ONLINE' RETURN count(*)", nil))
	for i, name := range d.NodeTypes {
		require.Contains(t, []int{25, 26}, len(d.Nodes[i]), "dealt evenly")
		for _, id := range d.Nodes[i] {
			hint, ok := graph.HintOf(id)
			require.True(t, ok)
			require.Equal(t, graph.TypeHint(name), hint, "ids name their type, as the gateway's do")
		}
		require.EqualValues(t, len(d.Nodes[i]),
			db.Count(t, "MATCH (n:"+name+") WHERE n.uuid IN $ids AND size(keys(n)) = 6 RETURN count(n)", map[string]any{"ids": d.Nodes[i]}))
	}
	for i, name := range d.EdgeTypes {
		from, to := d.edgeEnds(i)
		require.EqualValues(t, len(d.Edges[i]),
			db.Count(t, "MATCH (:"+d.NodeTypes[from]+")-[r:"+name+"]->(:"+d.NodeTypes[to]+") WHERE r.uuid IN $ids RETURN count(r)",
				map[string]any{"ids": d.Edges[i]}))
	}
	listed := db.Query(t, "MATCH (n:BenchList) RETURN n.uuid AS id ORDER BY id", nil)
	require.Len(t, listed, len(d.ListIDs))
	for i, row := range listed {
		require.Equal(t, d.ListIDs[i], row["id"])
	}

	t.Run("working set", func(t *testing.T) {
		part := d.workingSet(10)
		for i := range d.Nodes {
			require.Subset(t, d.Nodes[i], part.Nodes[i])
			require.Contains(t, []int{2, 3}, len(part.Nodes[i]))
			require.IsIncreasing(t, part.Nodes[i], "no id twice")
		}
		require.Len(t, entities(part.Nodes), 10)
		require.Len(t, entities(part.Edges), 10)
		require.Equal(t, d, d.workingSet(1_000_000), "a working set larger than the data set is the data set")
	})
	t.Run("saved and read", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "ids")
		require.NoError(t, d.save(path))
		again, err := readDataset(path)
		require.NoError(t, err)
		require.Equal(t, d, again)
	})
	t.Run("foreign data is rejected", func(t *testing.T) {
		require.ErrorContains(t, own.claim(t.Context()), "holds 453 nodes of somebody's", "without a mark no data belongs to the benchmark")
		db.Exec(t, "CREATE (:BenchRun), (:Person), (:_GraphrestUser), ()", nil)
		require.ErrorContains(t, own.claim(t.Context()), "holds 2 nodes of somebody's", "one with a label and one without")
		require.EqualValues(t, 457, db.Count(t, "MATCH (n) RETURN count(n)", nil), "and stays")
	})
	t.Run("what a killed run left is removed", func(t *testing.T) {
		db.Exec(t, "MATCH (n) WHERE n:Person OR labels(n) = [] DELETE n", nil)
		require.NoError(t, own.claim(t.Context()))
		require.EqualValues(t, 1, db.Count(t, "MATCH (n) RETURN count(n)", nil), "the mark")
		require.Zero(t, db.Count(t, "SHOW CONSTRAINTS YIELD name RETURN count(*)", nil))
		require.NoError(t, own.leave(t.Context()))
		require.Zero(t, db.Count(t, "MATCH (n) RETURN count(n)", nil))
		db.Exec(t, "CREATE (:_GraphrestUser)", nil)
		require.Error(t, own.claim(t.Context()), "a gateway's users are foreign data")
	})
}

// Every operation changes the database as specified, by the driver and by the Query API, and none fails.
func TestLoadProcesses(t *testing.T) {
	testmark.Long(t)
	t.Run(string(Driver), func(t *testing.T) {
		db, own, d := loadSmall(t)
		playAll(t, db, own, d,
			setup{Target: Driver, Neo4j: Neo4j{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database}})
	})
	t.Run(string(QueryAPI), func(t *testing.T) {
		server := neo4jtest.FreshServer(t, neo4jdev.Options{HTTP: true})
		db := neo4jtest.Connect(t, server)
		own := &database{driver: db.Driver, name: db.Database}
		d, err := newDataset(smallSize)
		require.NoError(t, err)
		require.NoError(t, own.load(t.Context(), d, t.Logf))
		playAll(t, db, own, d,
			setup{Target: QueryAPI, Neo4j: Neo4j{HTTPURL: server.HTTPURL, Username: db.Username, Password: db.Password, Database: db.Database}})
	})
}

// A service answers every operation as the gateway does, and rejects other tokens.
func TestService(t *testing.T) {
	db, own, d := loadSmall(t)
	at := Neo4j{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database}
	s := serverSetup{Target: Service, Secret: "a secret of this test", Data: filepath.Join(t.TempDir(), "ids"), Neo4j: at}
	require.NoError(t, d.save(s.Data))
	handler, end, err := newService(s)
	require.NoError(t, err)
	defer end(t.Context())
	server := httptest.NewServer(handler)
	defer server.Close()
	token, err := serviceToken(s.Secret, "ann")
	require.NoError(t, err)
	playAll(t, db, own, d, setup{Target: Service, Address: server.Listener.Addr().String(), Tokens: []string{token}})

	foreign, err := serviceToken("another secret", "ann")
	require.NoError(t, err)
	for token, want := range map[string]int{token: http.StatusOK, foreign: http.StatusUnauthorized, "": http.StatusUnauthorized} {
		request := httptest.NewRequest(http.MethodGet, "/api/nodes/"+d.NodeTypes[0]+"/"+d.Nodes[0][1], nil)
		request.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		require.Equal(t, want, answer.Code, answer.Body)
	}
}

// The limit answers what the gateway answered, with the id that is asked for.
func TestLimit(t *testing.T) {
	handler := newLimit(map[Operation]answerSample{
		NodeByID:   {Status: http.StatusOK, Body: `{"data":{"id":"old"}}`, ID: "old"},
		CreateEdge: {Status: http.StatusCreated, Body: `{"data":{"id":"new"}}`, ID: "new"},
		ListFirst:  {Status: http.StatusOK, Body: `{"data":[1]}`},
		ListDeep:   {Status: http.StatusOK, Body: `{"data":[2]}`},
	})
	for _, row := range []struct{ method, path, want string }{
		{http.MethodGet, "/api/nodes/other", `200 {"data":{"id":"other"}}`},
		{http.MethodPost, "/api/edges", `201 {"data":{"id":"new"}}`},
		{http.MethodGet, listPath, `200 {"data":[1]}`},
		{http.MethodGet, listPath + "&cursor=copied", `200 {"data":[2]}`},
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(row.method, row.path, nil))
		require.Equal(t, row.want, fmt.Sprint(answer.Code, " ", answer.Body))
	}
}

func playAll(t *testing.T, db *neo4jtest.DB, own *database, d *Dataset, s setup) {
	s.Data = filepath.Join(t.TempDir(), "ids")
	require.NoError(t, d.save(s.Data))
	doomed, err := (&run{db: own, data: d}).createNodesToDelete(t.Context(), 10)
	require.NoError(t, err)
	require.EqualValues(t, 103+350+10, db.Count(t, "MATCH (n) RETURN count(n)", nil))

	ask := serveLoad(t)
	require.Empty(t, ask(s).Failure)
	for _, operation := range Operations() {
		t.Run(string(operation), func(t *testing.T) {
			nodes := db.Count(t, "MATCH (n) RETURN count(n)", nil)
			edges := db.Count(t, "MATCH ()-[r]->() RETURN count(r)", nil)
			turn := turn{Operation: operation, Clients: 4, Duration: 300 * time.Millisecond, Seed: 7}
			if operation == DeleteNode {
				turn.Entities, turn.Duration = doomed, time.Minute
			}
			result := ask(turn)
			require.Empty(t, result.Failure)
			require.Zero(t, result.Errors, result.FirstError)
			require.Positive(t, result.Operations)
			require.Positive(t, result.P50)
			require.LessOrEqual(t, result.P50, result.P99)
			require.LessOrEqual(t, result.P99, result.Max)
			switch operation {
			case CreateNode:
				nodes += int64(result.Operations)
			case CreateEdge:
				edges += int64(result.Operations)
			case DeleteNode:
				require.Equal(t, 10, result.Operations, "each node once, and then the turn ends")
				nodes -= 10
			case Mix:
				return
			}
			require.Equal(t, nodes, db.Count(t, "MATCH (n) RETURN count(n)", nil))
			require.Equal(t, edges, db.Count(t, "MATCH ()-[r]->() RETURN count(r)", nil))
		})
	}
	t.Run("a node that is gone is an error", func(t *testing.T) {
		result := ask(turn{Operation: DeleteNode, Clients: 2, Duration: time.Minute, Entities: doomed[:3]})
		require.Zero(t, result.Operations)
		require.Equal(t, 3, result.Errors)
		require.Contains(t, result.FirstError, "delete node: ")
	})
}

// serveLoad runs a load process within the test from its setup to its end and checks that it ends when its input ends.
func serveLoad(t *testing.T) (ask func(line any) turnResult) {
	t.Helper()
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- ServeLoad(context.Background(), inReader, outWriter) }()
	t.Cleanup(func() {
		require.NoError(t, inWriter.Close())
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(30 * time.Second):
			t.Error("the load process did not end with its input")
		}
	})
	lines, answers := json.NewEncoder(inWriter), json.NewDecoder(outReader)
	return func(line any) (result turnResult) {
		require.NoError(t, lines.Encode(line))
		require.NoError(t, answers.Decode(&result))
		return result
	}
}
