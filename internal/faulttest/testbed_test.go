// Package faulttest injects faults into a real Neo4j, its network and the gateways while clients write, and then checks the
// database: every acknowledged write exists exactly once, and nothing deleted exists. Gateways run as separate processes; Toxiproxy
// is between them and Neo4j. `make test-faults` runs many rounds and writes the figures to docs/reliability.md; a plain `go test`
// runs each scenario once.
package faulttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

const (
	queryTimeout = 5 * time.Second
	// maxAnswerTime is how long an answer may take: the query timeout, what the gateway adds for the rest of a request, and as much
	// again for a loaded machine.
	maxAnswerTime = queryTimeout + 2*2*time.Second
	waitTimeout   = 90 * time.Second
	password      = "Vq9-mountain-Ty4-river"
	jwtSecret     = "qX7vN2rLw9TzB4kHs8PdY6mGcE3fJa5u"
	poolSize      = 8
	replicas      = 2
	nodeLabel     = "Faulty"
)

// testbed is a Neo4j, a proxy in front of it, and gateways that connect through the proxy.
type testbed struct {
	t        *testing.T // of the running subtest
	parent   *testing.T // resources that all subtests share are closed with it
	server   *neo4jdev.Server
	db       *neo4jtest.DB // connected directly, not through the proxy
	proxy    *toxiproxy.Proxy
	gateways []*gateway
	client   *http.Client
	token    string
	feed     *feedReader // nil if nobody reads the change feed
}

// gateway is a gateway process.
type gateway struct {
	address, metrics string
	binary           string
	environ          []string
	log              *os.File
	process          *exec.Cmd
}

// newTestbed starts Neo4j, the proxy and the gateways; more are settings of the gateways.
func newTestbed(t *testing.T, more ...string) *testbed {
	t.Helper()
	w := &testbed{t: t, parent: t, server: neo4jtest.FreshServer(t, neo4jdev.Options{}), client: &http.Client{
		Timeout: 30 * time.Second,
		// A connection for each request, as most load balancers do: a cut connection then affects one request only.
		Transport: &http.Transport{DisableKeepAlives: true},
	}}
	w.db = neo4jtest.Connect(t, w.server)
	w.db.Exec(t, "CREATE INDEX faulty IF NOT EXISTS FOR (n:"+nodeLabel+") ON (n.n)", nil)
	w.db.Exec(t, "CREATE INDEX faulty_batch IF NOT EXISTS FOR (n:"+nodeLabel+") ON (n.batch)", nil)
	upstream, err := url.Parse(w.server.URI)
	require.NoError(t, err)
	proxies := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	w.proxy = toxiproxy.NewProxy(proxies, "neo4j", "127.0.0.1:0", upstream.Host)
	require.NoError(t, w.proxy.Start())
	t.Cleanup(w.proxy.Stop)

	binary, err := gatewaytest.Build(t.TempDir())
	require.NoError(t, err)
	for i := range replicas {
		g := &gateway{address: freeAddress(t), metrics: freeAddress(t), binary: binary}
		g.environ = append(gatewaytest.EnvironWithout("NEO4J_", "GRAPHREST_"),
			"NEO4J_URI=bolt://"+w.proxy.Listen, "NEO4J_USERNAME="+w.server.Username, "NEO4J_PASSWORD="+w.server.Password,
			"GRAPHREST_LISTEN="+g.address, "GRAPHREST_METRICS_LISTEN="+g.metrics, "GRAPHREST_JWT_SECRET="+jwtSecret,
			"GRAPHREST_ADMIN_PASSWORD="+password, "GRAPHREST_RATE_LIMIT=1000000000", "GRAPHREST_TOKEN_TTL=24h", "GRAPHREST_LOG_LEVEL=warn",
			"GRAPHREST_QUERY_TIMEOUT="+queryTimeout.String(), fmt.Sprintf("GRAPHREST_POOL_SIZE=%d", poolSize))
		g.environ = append(g.environ, more...)
		g.log, err = os.Create(filepath.Join(t.TempDir(), fmt.Sprintf("gateway%d.log", i)))
		require.NoError(t, err)
		w.gateways = append(w.gateways, g)
		g.start(t)
		t.Cleanup(func() { g.end(t, syscall.SIGTERM) })
	}
	w.awaitReady()
	w.token = w.clientOf(w.gateways[0]).Login(t, "admin", password)
	return w
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (g *gateway) start(t *testing.T) {
	t.Helper()
	g.process = exec.Command(g.binary, "serve")
	g.process.Env, g.process.Stderr = g.environ, g.log
	require.NoError(t, g.process.Start())
}

// end ends the process by a signal and waits for it.
func (g *gateway) end(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if g.process == nil {
		return
	}
	require.NoError(t, g.process.Process.Signal(signal))
	err := g.process.Wait()
	if signal == syscall.SIGTERM {
		require.NoError(t, err, "SIGTERM ends a gateway with exit code 0")
	}
	g.process = nil
}

// awaitReady waits until every gateway is ready.
func (w *testbed) awaitReady() {
	w.t.Helper()
	for _, g := range w.gateways {
		w.clientOf(g).AwaitReady(w.t, waitTimeout)
	}
}

// clientOf returns a client of a gateway with the token of the administrator.
func (w *testbed) clientOf(g *gateway) gatewaytest.Client {
	return gatewaytest.Client{URL: "http://" + g.address, Token: w.token, HTTP: w.client}
}

// toxic adds one of Toxiproxy's toxics; type, stream and attributes are Toxiproxy's. The returned function removes it.
func (w *testbed) toxic(kind, stream string, attributes map[string]any) func() {
	w.t.Helper()
	text, err := json.Marshal(map[string]any{"name": kind, "type": kind, "stream": stream, "attributes": attributes})
	require.NoError(w.t, err)
	_, err = w.proxy.Toxics.AddToxicJson(bytes.NewReader(text))
	require.NoError(w.t, err)
	return func() { _ = w.proxy.Toxics.RemoveToxic(context.Background(), kind) }
}

// gauge reads a metric of a gateway.
func (w *testbed) gauge(g *gateway, name string) float64 {
	w.t.Helper()
	response, err := w.client.Get("http://" + g.metrics + "/metrics")
	require.NoError(w.t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	require.NoError(w.t, err)
	for line := range strings.Lines(string(text)) {
		var value float64
		if rest, found := strings.CutPrefix(line, name+" "); found {
			_, err := fmt.Sscan(rest, &value)
			require.NoError(w.t, err)
			return value
		}
	}
	w.t.Fatalf("there is no metric %s", name)
	return 0
}

// logs returns the end of each gateway's log, for failure messages.
func (w *testbed) logs() string {
	var all strings.Builder
	for _, g := range w.gateways {
		text, _ := os.ReadFile(g.log.Name())
		all.Write(text[max(0, len(text)-4000):])
	}
	return all.String()
}

// runConcurrently runs work count times concurrently and waits.
func runConcurrently(count int, work func(i int)) {
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() { work(i) })
	}
	group.Wait()
}
