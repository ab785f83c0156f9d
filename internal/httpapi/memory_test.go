package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// Clients that request many large entities concurrently and do not read the responses use the memory of one page each, without a second
// copy and without the entities after it. The memory is measured when all responses have started. The limit allows three pages each,
// since the entities of a graph are read eight at a time.
func TestLargeListResponsesUseMemoryOfOnePage(t *testing.T) {
	testmark.Concurrent(t)
	const (
		nodes, nodeBytes = 40, 1 << 20
		atOnce           = 8
		page             = 4 << 20 // the default of neo4jstore.Config
		most             = atOnce * 3 * page
	)
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.db.Exec(t, `CREATE (hub:Hub) WITH hub UNWIND range(1, $nodes) AS i CREATE (hub)-[:TO]->(:Large {number: i, text: $text})`,
		map[string]any{"nodes": nodes, "text": strings.Repeat("x", nodeBytes)})
	hubs := jsonAt(t, srv.send(t, "reader", http.MethodGet, "/api/nodes?type=Hub", "").body, "data").([]any)
	hub := hubs[0].(map[string]any)["id"].(string)

	for _, target := range []string{
		"/api/nodes?type=Large&limit=1000", "/api/nodes?type=Large&limit=1000&sort=-number", "/api/nodes/" + hub + "/neighbors?limit=1000",
	} {
		t.Run(target[:strings.IndexByte(target, '?')], func(t *testing.T) {
			before := liveBytes()
			var begun []*http.Response
			for range atOnce { // one after another, so that each finds the memory of those before it in use
				begun = append(begun, srv.begin(t, "reader", target)) //nolint:bodyclose // begin closes it
			}
			held := liveBytes() - before
			t.Logf("%d answers hold %d MiB", atOnce, held>>20)
			require.Less(t, held, int64(most))
			for _, res := range begun {
				text, err := io.ReadAll(res.Body)
				require.NoError(t, err)
				require.NoError(t, res.Body.Close())
				require.True(t, json.Valid(text))
				require.Regexp(t, `"has_more":true|"truncated":true`, string(text[len(text)-1000:]))
			}
		})
	}
}

// A user whose responses use the limit gets no more until one of them was read; other users do.
func TestResponsesOverBytesInFlightAreRejected(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.BytesInFlight, o.BytesInFlightPerUser = 20<<20, 8<<20 })
	srv.user(t, "reader", auth.Read)
	srv.user(t, "other", auth.Read)
	// In JSON the text takes six times the bytes: more than the buffers of the connection.
	srv.db.Exec(t, `UNWIND range(1, 10) AS i CREATE (:Large {text: $text})`, map[string]any{"text": strings.Repeat("\x01", 1<<20)})
	const target = "/api/nodes?type=Large"
	read := func(res *http.Response) int {
		_, err := io.Copy(io.Discard, res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	first := srv.begin(t, "reader", target) //nolint:bodyclose // begin closes it
	require.Equal(t, http.StatusOK, first.StatusCode)
	refused := srv.send(t, "reader", http.MethodGet, target, "")
	require.Equal(t, http.StatusServiceUnavailable, refused.status)
	require.Equal(t, "DATABASE_UNAVAILABLE", jsonAt(t, refused.body, "error.code"))
	require.Contains(t, refused.body, "of this user")
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	require.Equal(t, http.StatusOK, read(srv.begin(t, "other", target))) //nolint:bodyclose // begin closes it
	small := srv.send(t, "reader", http.MethodGet, "/api/nodes?type=Nothing", "")
	require.Equal(t, http.StatusOK, small.status, "small answers go on")
	require.Equal(t, http.StatusOK, read(first))
	//nolint:bodyclose // begin closes it
	require.Eventually(t, func() bool { return read(srv.begin(t, "reader", target)) == http.StatusOK }, 20*time.Second, 20*time.Millisecond)
}

// begin sends a request and reads only the header of the response.
func (srv *testServer) begin(t *testing.T, user, target string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, srv.url+target, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+srv.token(t, user))
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(256 << 10) // the answer is not to vanish in the system's buffers
		}
		return conn, err
	}}
	t.Cleanup(transport.CloseIdleConnections)
	res, err := transport.RoundTrip(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// liveBytes returns the live heap memory of the process.
func liveBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what a pool keeps goes with the second
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
