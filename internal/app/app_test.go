package app

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/config"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

const (
	testSecret   = "qX7vN2rLw9TzB4kHs8PdY6mGcE3fJa5u"
	testPassword = "Vq9-mountain-Ty4-river"
	eventTimeout = time.Minute // for an event on a busy machine
)

// gateway is a running App and its client.
type gateway struct {
	url    string
	log    *gatewaytest.LogBuffer
	stop   context.CancelFunc
	ended  chan error
	client *http.Client
}

// start runs an App against a database until the test ends or stop is called.
func start(t testing.TB, uri, username, password string, more ...string) *gateway {
	t.Helper()
	c, err := config.Load(config.Sources{Environ: append([]string{
		"NEO4J_URI=" + uri, "NEO4J_USERNAME=" + username, "NEO4J_PASSWORD=" + password, "GRAPHREST_JWT_SECRET=" + testSecret,
		"GRAPHREST_LISTEN=127.0.0.1:0", "GRAPHREST_ADMIN_PASSWORD=" + testPassword,
	}, more...)})
	require.NoError(t, err)
	g := &gateway{
		log: &gatewaytest.LogBuffer{}, ended: make(chan error, 1), client: &http.Client{Timeout: eventTimeout, Transport: &http.Transport{}},
	}
	listener, err := Listen(t.Context(), c.HTTP.Listen)
	require.NoError(t, err)
	g.url = LocalURL(listener.Addr().String())
	a, err := New(c, slog.New(slog.NewJSONHandler(g.log, nil)), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	go func() {
		g.ended <- a.Run(ctx, listener)
		close(g.ended)
	}()
	t.Cleanup(func() {
		stop()
		g.client.CloseIdleConnections()
		<-g.ended // its last writes must not reach the shared database during the next test
		if t.Failed() {
			t.Log(g.log.String())
		}
	})
	return g
}

// clientOf returns a client with a token, or without one.
func (g *gateway) clientOf(token string) gatewaytest.Client {
	return gatewaytest.Client{URL: g.url, Token: token, HTTP: g.client}
}

// ask sends one request and returns the status and body of the answer; status 0 without an answer.
func (g *gateway) ask(method, path, token, body string) (int, string) {
	answer, err := g.clientOf(token).Send(context.Background(), method, path, body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.Status, answer.Body
}

func (g *gateway) status(path, token string) int {
	status, _ := g.ask(http.MethodGet, path, token, "")
	return status
}

func (g *gateway) waitReady(t testing.TB) {
	t.Helper()
	g.clientOf("").AwaitReady(t, eventTimeout)
}

func (g *gateway) login(t testing.TB) string {
	t.Helper()
	return g.clientOf("").Login(t, "admin", testPassword)
}

func TestDatabaseAwayAtStartAndComingBack(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	server := neo4jtest.FreshServer(t, neo4jdev.Options{})
	options := server.Options()
	require.NoError(t, server.Stop(t.Context()))
	g := start(t, server.URI, server.Username, server.Password)

	require.Eventually(t, func() bool { return g.status("/healthz", "") == http.StatusOK }, eventTimeout, 10*time.Millisecond)
	require.Equal(t, http.StatusServiceUnavailable, g.status("/readyz", ""))
	status, body := g.ask(http.MethodPost, "/api/auth/login", "", fmt.Sprintf(`{"username":"admin","password":%q}`, testPassword))
	require.Equal(t, http.StatusServiceUnavailable, status, body)
	require.Contains(t, body, "DATABASE_UNAVAILABLE")
	require.NotContains(t, body, server.URI[len("bolt://"):], "the answer contains no address")

	neo4jtest.FreshServer(t, options)
	g.waitReady(t)
	token := g.login(t)
	status, body = g.ask(http.MethodPost, "/api/nodes", token, `{"type":"Person","properties":{"name":"Ann"}}`)
	require.Equal(t, http.StatusCreated, status, body)

	g.stop()
	require.NoError(t, <-g.ended)
	require.NotContains(t, g.log.String(), server.Password)
	require.NotContains(t, g.log.String(), testPassword)
	require.Contains(t, g.log.String(), `"msg":"listening"`)
	require.Contains(t, g.log.String(), `"database":"`+server.URI+`"`)
}

// A request whose body is still being sent when the signal arrives is answered; readiness fails before that.
func TestDrainAnswersWhatIsInFlight(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_RATE_LIMIT=1000000") // a fast machine sends a thousand requests
	g.waitReady(t)
	token := g.login(t)

	body := `{"type":"Person","properties":{"name":"late"}}`
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(g.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	_, err = fmt.Fprintf(connection,
		"POST /api/nodes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		token, len(body), body[:10])
	require.NoError(t, err)
	// Other clients continue to send requests. Every request that was begun is answered with success; for the others the
	// gateway accepts no more connections.
	var wrong, answered atomic.Int64
	load, endLoad := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for load.Err() == nil {
				status, body := g.ask(http.MethodGet, "/api/nodes?limit=1", token, "")
				switch {
				case status == http.StatusOK:
					answered.Add(1)
				case status != 0 || !refused(body):
					wrong.Add(1)
					t.Logf("answer under drain: %d %s", status, body)
				}
			}
		})
	}
	require.Eventually(t, func() bool { return answered.Load() > 20 }, eventTimeout, time.Millisecond)

	g.stop()
	sawNotReady := false
	require.Eventually(t, func() bool {
		status := g.status("/readyz", "")
		sawNotReady = sawNotReady || status == http.StatusServiceUnavailable
		return status == 0
	}, eventTimeout, 5*time.Millisecond)
	require.True(t, sawNotReady, "readiness fails before connections are refused")
	_, err = connection.Write([]byte(body[10:]))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusCreated, response.StatusCode)
	require.NoError(t, <-g.ended)
	endLoad()
	clients.Wait()
	require.Zero(t, wrong.Load())
	begun := regexp.MustCompile(`"method":"GET","route":"/api/nodes"`).FindAllString(g.log.String(), -1)
	require.Len(t, begun, int(answered.Load()), "as many lists were answered as were begun")
	require.EqualValues(t, 1, db.Count(t, "MATCH (p:Person {name: 'late'}) RETURN count(p)", nil))
}

// refused reports whether a client's error means that the gateway accepts no more connections. Closing a listener resets the connections
// that the kernel has established but the gateway has not accepted yet; a write to such a connection can fail with EPIPE.
func refused(text string) bool {
	for _, reason := range []string{"connection refused", "connection reset by peer", "broken pipe"} {
		if strings.Contains(text, reason) {
			return true
		}
	}
	return false
}

// A request that exceeds the grace period is aborted, and the process ends.
func TestDrainEndsWithTheGrace(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_SHUTDOWN_GRACE=1s")
	g.waitReady(t)
	token := g.login(t)
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(g.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	_, err = fmt.Fprintf(connection, "POST /api/nodes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Expect: 100-continue\r\nContent-Length: 100\r\n\r\n", token)
	require.NoError(t, err)
	line, err := bufio.NewReader(connection).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue", "the handler reads the body")
	_, err = fmt.Fprint(connection, "{")
	require.NoError(t, err)

	g.stop()
	select {
	case err := <-g.ended:
		require.NoError(t, err)
	case <-time.After(eventTimeout):
		t.Fatal("the gateway did not end")
	}
	require.Contains(t, g.log.String(), "cut off")
}

func TestTheFirstAdministratorIsMadeOnce(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	first := start(t, db.URI, db.Username, db.Password)
	second := start(t, db.URI, db.Username, db.Password)
	first.waitReady(t)
	second.waitReady(t)
	require.EqualValues(t, 1, db.Count(t, "MATCH (u:_GraphrestUser) RETURN count(u)", nil))
	require.Equal(t, http.StatusOK, second.status("/api/auth/me", first.login(t)), "replicas share users and keys")
}

func TestListenErrorsSayWhatToDo(t *testing.T) {
	taken, err := Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	_, err = Listen(t.Context(), taken.Addr().String())
	require.ErrorContains(t, err, "in use by another program")
	require.ErrorContains(t, err, "--listen 127.0.0.1:")
	_, err = Listen(t.Context(), "192.0.2.1:8080") // reserved for documentation (RFC 5737)
	require.ErrorContains(t, err, "not an address of this machine")
}

func TestLocalURL(t *testing.T) {
	for listen, url := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", ":8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://127.0.0.1:80",
		"[::]:80": "http://127.0.0.1:80", "[::1]:80": "http://[::1]:80", "gateway.local:80": "http://gateway.local:80",
	} {
		require.Equal(t, url, LocalURL(listen), listen)
	}
}
