package httpapi_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/httpapi"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

func TestReadinessWhileDraining(t *testing.T) {
	srv := newTestServer(t, nil)
	runSteps(t, srv, []step{
		{name: "ready", request: "GET /readyz?probe=1", wantStatus: 200, wantBody: []string{`"data":{"status":"ready"}`}},
		{name: "alive", request: "GET /healthz", wantStatus: 200, wantBody: []string{`"data":{"status":"ok"}`}},
	})
	srv.api.StartDraining()
	runSteps(t, srv, []step{
		{
			name: "not ready any more", request: "GET /readyz", wantStatus: 503, wantCode: "DATABASE_UNAVAILABLE",
			wantBody: []string{`"field":"service"`}, wantHeaders: []string{"Retry-After", "1"},
		},
		{name: "alive still", request: "GET /healthz", wantStatus: 200},
		{name: "requests that still come are served", user: "root", request: "GET /api/nodes", wantStatus: 200},
	})
	last := httptest.NewRecorder()
	srv.api.ServeHTTP(last, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	require.Equal(t, "close", last.Header().Get("Connection"), "an answer ends its connection")
}

// TestLogInBeforeTheDatabaseIsPrepared: a correct password is not called wrong because there is no administrator yet.
func TestLogInBeforeTheDatabaseIsPrepared(t *testing.T) {
	started := make(chan struct{})
	srv := newTestServer(t, func(o *httpapi.Options) { o.Started = started })
	runSteps(t, srv, []step{
		{name: "alive", request: "GET /healthz", wantStatus: 200},
		{name: "not ready", request: "GET /readyz", wantStatus: 503, wantCode: "DATABASE_UNAVAILABLE"},
		{
			name: "no log-in", request: "POST /api/auth/login", body: `{"username":"root","password":"` + password + `"}`,
			wantStatus: 503, wantCode: "DATABASE_UNAVAILABLE", wantHeaders: []string{"Retry-After", "1"},
		},
		{name: "no token", request: "GET /api/nodes", wantStatus: 401, wantCode: "UNAUTHENTICATED"},
	})
	close(started)
	runSteps(t, srv, []step{
		{name: "prepared", request: "POST /api/auth/login", body: `{"username":"root","password":"` + password + `"}`, wantStatus: 200},
	})
}

// TestUnresponsiveDatabase: the graph's database accepts connections and never responds. No request takes longer than its deadline,
// and the process stays alive.
func TestUnresponsiveDatabase(t *testing.T) {
	testmark.Concurrent(t)
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
	client, err := bolt.Open(bolt.Config{
		URI: "bolt://" + silent.Addr().String(), Username: "neo4j", Password: "x", QueryTimeout: time.Second, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	store := neo4jstore.New(client, neo4jaudit.New(client, neo4jaudit.Config{}), neo4jstore.Config{})
	t.Cleanup(func() {
		store.Close(context.Background())
		_ = client.Close(context.Background())
	})
	srv := newTestServer(t, func(o *httpapi.Options) {
		o.Nodes, o.Edges, o.Schema, o.Health, o.QueryTimeout = store, store, store, client, time.Second
	})
	for _, target := range []string{"/api/nodes", "/api/nodes/x", "/api/edges", "/api/schema", "/readyz"} {
		began := time.Now()
		r := srv.send(t, "root", "GET", target, "")
		require.Contains(t, []int{503, 504}, r.status, target)
		require.Less(t, time.Since(began), 15*time.Second, target)
	}
	require.Equal(t, 200, srv.send(t, "", "GET", "/healthz", "").status)
	require.Equal(t, 200, srv.send(t, "root", "GET", "/api/auth/me", "").status, "the user is cached")
}
