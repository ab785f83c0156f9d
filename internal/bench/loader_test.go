package bench

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

var smallSize = Size{Nodes: 103, Edges: 211, NodeTypes: 4, EdgeTypes: 5, ListNodes: 350, ListDepth: 200}

func loadSmall(t *testing.T) (*neo4jtest.DB, *Database, *Dataset) {
	t.Helper()
	db := neo4jtest.Open(t)
	own := &Database{driver: db.Driver, name: db.Database}
	d, err := newDataset(smallSize)
	require.NoError(t, err)
	require.NoError(t, own.load(t.Context(), d, t.Logf))
	return db, own, d
}

func TestLoader(t *testing.T) {
	db, _, d := loadSmall(t)
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
}

// Every operation changes the database as specified, by the driver and by the Query API, and none fails.
func TestLoadProcesses(t *testing.T) {
	testmark.Long(t)
	t.Run(string(Driver), func(t *testing.T) {
		db, own, d := loadSmall(t)
		playAll(t, db, own, d, Driver, nil, Neo4j{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	})
	t.Run(string(Service), func(t *testing.T) {
		db, own, d := loadSmall(t)
		at := Neo4j{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database}
		handler, end, err := newService(at, smallSize, "secret")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, end(context.Background())) })
		token, err := serviceToken("secret")
		require.NoError(t, err)
		playAll(t, db, own, d, Service, served(t, handler, token), at)
		status, _, _, err := served(t, handler, "").client.do(t.Context(), http.MethodGet, "/api/list?after=", "wrong", nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, status)
	})
	t.Run(string(QueryAPI), func(t *testing.T) {
		server := neo4jtest.FreshServer(t, neo4jdev.Options{HTTP: true})
		db := neo4jtest.Connect(t, server)
		own := &Database{driver: db.Driver, name: db.Database}
		d, err := newDataset(smallSize)
		require.NoError(t, err)
		require.NoError(t, own.load(t.Context(), d, t.Logf))
		playAll(t, db, own, d, QueryAPI, nil,
			Neo4j{HTTPURL: server.HTTPURL, Username: db.Username, Password: db.Password, Database: db.Database})
	})
}

// served is a target that is served by a handler.
func served(t *testing.T, handler http.Handler, token string) *GatewayProcess {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()
	return &GatewayProcess{address: address, client: newHTTPClient(address), tokens: []string{token}}
}

// The limit answers what the gateway answered once to each kind of request, with the id that is asked for.
func TestLimitCopiesAnswers(t *testing.T) {
	asked := 0
	gateway := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = io.WriteString(w, r.Method+" "+r.URL.RequestURI())
	}), "")
	limit := served(t, newLimit(gateway.address), "")
	for _, row := range []struct {
		method, path, want string
		status             int
	}{
		{http.MethodGet, "/api/nodes/1a", "GET /api/nodes/1a", http.StatusOK},
		{http.MethodGet, "/api/nodes/2b", "GET /api/nodes/2b", http.StatusOK},
		{http.MethodDelete, "/api/nodes/3c", "DELETE /api/nodes/3c", http.StatusOK},
		{http.MethodPost, "/api/nodes", "POST /api/nodes", http.StatusCreated},
		{http.MethodPost, "/api/nodes", "POST /api/nodes", http.StatusCreated},
		{http.MethodGet, "/api/nodes?type=A&limit=100", "GET /api/nodes?type=A&limit=100", http.StatusOK},
		{http.MethodGet, "/api/nodes?type=A&limit=100&cursor=x", "GET /api/nodes?type=A&limit=100&cursor=x", http.StatusOK},
	} {
		status, answer, err := limit.Call(t.Context(), row.method, row.path, "", nil)
		require.NoError(t, err)
		require.Equal(t, row.status, status)
		require.Equal(t, row.want, string(answer))
	}
	require.Equal(t, 5, asked, "once for each kind")
}

func playAll(t *testing.T, db *neo4jtest.DB, own *Database, d *Dataset, target Target, g *GatewayProcess, at Neo4j) {
	doomed, err := (&run{db: own, data: d}).createNodesToDelete(t.Context(), 10)
	require.NoError(t, err)
	require.EqualValues(t, 103+350+10, db.Count(t, "MATCH (n) RETURN count(n)", nil))

	l, err := newLoad(target, d, g, "", at)
	require.NoError(t, err)
	t.Cleanup(func() { l.close(context.Background()) })
	for _, operation := range Operations() {
		t.Run(string(operation), func(t *testing.T) {
			nodes := db.Count(t, "MATCH (n) RETURN count(n)", nil)
			edges := db.Count(t, "MATCH ()-[r]->() RETURN count(r)", nil)
			turn := turn{Operation: operation, Clients: 4, Duration: 300 * time.Millisecond, Seed: 7}
			if operation == DeleteNode {
				turn.Entities, turn.Duration = doomed, time.Minute
			}
			result, err := l.play(t.Context(), turn)
			require.NoError(t, err)
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
		result, err := l.play(t.Context(), turn{Operation: DeleteNode, Clients: 2, Duration: time.Minute, Entities: doomed[:3]})
		require.NoError(t, err)
		require.Zero(t, result.Operations)
		require.Equal(t, 3, result.Errors)
		require.Contains(t, result.FirstError, "delete node: ")
	})
}
