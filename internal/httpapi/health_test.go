package httpapi_test

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/httpapi"
	"graphrest/internal/neo4jstore"
)

func TestReadinessWhileDraining(t *testing.T) {
	w := openWorld(t, nil)
	talk(t, w, []step{
		{says: "ready", do: "GET /readyz?probe=1", status: 200, has: []string{`"data":{"status":"ready"}`}},
		{says: "alive", do: "GET /healthz", status: 200, has: []string{`"data":{"status":"ok"}`}},
	})
	w.api.StartDraining()
	talk(t, w, []step{
		{says: "not ready any more", do: "GET /readyz", status: 503, code: "DATABASE_UNAVAILABLE", has: []string{`"field":"service"`}, heads: []string{"Retry-After", "1"}},
		{says: "alive still", do: "GET /healthz", status: 200},
		{says: "requests that still come are served", as: "root", do: "GET /api/nodes", status: 200},
	})
}

// TestSilentDatabase: the graph's database accepts connections and never answers. No request may take longer than its
// deadline, and the process stays alive.
func TestSilentDatabase(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	go func() {
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	graph, err := neo4jstore.Open(neo4jstore.Config{
		URI: "bolt://" + silent.Addr().String(), Username: "neo4j", Password: "x", QueryTimeout: time.Second, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = graph.Close(context.Background()) })
	w := openWorld(t, func(o *httpapi.Options) {
		o.Nodes, o.Edges, o.Schema, o.Health, o.QueryTimeout = graph, graph, graph, graph, time.Second
	})
	for _, target := range []string{"/api/nodes", "/api/nodes/x", "/api/edges", "/api/schema", "/readyz"} {
		began := time.Now()
		r := w.send(t, "root", "GET", target, "")
		require.Contains(t, []int{503, 504}, r.status, target)
		require.Less(t, time.Since(began), 15*time.Second, target)
	}
	require.Equal(t, 200, w.send(t, "", "GET", "/healthz", "").status)
	require.Equal(t, 200, w.send(t, "root", "GET", "/api/auth/me", "").status, "who asks is known from memory")
}
