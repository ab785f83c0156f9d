package app

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// The configurations of docs/scaling.md, with %[1]s and %[2]s for the gateways and %[3]s for the proxy.
const (
	nginxServers = `upstream gateways { server %[1]s max_fails=0; server %[2]s max_fails=0; }
	server { listen %[3]s; location / { proxy_pass http://gateways; proxy_next_upstream error timeout http_503; } }`
	haproxyConfiguration = `
defaults
	mode http
	timeout connect 5s
	timeout client 60s
	timeout server 60s
	option http-server-close
	option redispatch 1
frontend public
	bind %[3]s
	default_backend gateways
backend gateways
	server one %[1]s
	server two %[2]s
`
)

// Two gateways behind a proxy are replaced one after the other while clients read and write: no request fails, and none is done twice.
// The proxy asks the other gateway if one does not accept the connection, as docs/scaling.md says.
func TestARollingRestartBehindAProxyLosesNothing(t *testing.T) {
	testmark.Long(t)
	for name, run := range map[string]func(t *testing.T, one, two, public string){
		"nginx": func(t *testing.T, one, two, public string) { runNginx(t, fmt.Sprintf(nginxServers, one, two, public)) },
		"haproxy": func(t *testing.T, one, two, public string) {
			file := filepath.Join(t.TempDir(), "haproxy.cfg")
			require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, haproxyConfiguration, one, two, public), 0o600))
			runProxy(t, "haproxy", "haproxy", "-db", "-f", file)
		},
	} {
		t.Run(name, func(t *testing.T) { requireNothingLost(t, run) })
	}
}

func requireNothingLost(t *testing.T, runProxy func(t *testing.T, one, two, public string)) {
	db := neo4jtest.OpenPrepared(t)
	addresses := []string{freeAddress(t), freeAddress(t)}
	gateways := make([]*gateway, len(addresses))
	run := func(i int) {
		gateways[i] = start(t, db.URI, db.Username, db.Password, "GRAPHREST_LISTEN="+addresses[i], "GRAPHREST_RATE_LIMIT=1000000",
			"GRAPHREST_TRUSTED_PROXIES=127.0.0.1")
		gateways[i].waitReady(t)
	}
	run(0)
	run(1)
	public := freeAddress(t)
	runProxy(t, addresses[0], addresses[1], public)
	proxy := gatewaytest.Client{URL: "http://" + public}
	proxy.AwaitReady(t, eventTimeout)
	proxy.Token = proxy.Login(t, "admin", testPassword)

	const clients = 6
	var answered, created atomic.Int64
	ended := make(chan struct{})
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-ended:
					return
				default:
				}
				method, path, body, expected := http.MethodGet, "/api/nodes?type=Person&limit=5", "", http.StatusOK
				if n%2 == 0 {
					method, path, body, expected = http.MethodPost, "/api/nodes", `{"type":"Person","properties":{}}`, http.StatusCreated
				}
				answer, err := proxy.Send(context.Background(), method, path, body, "Idempotency-Key", fmt.Sprintf("rolling-%d-%d", client, n))
				if err != nil || answer.Status != expected {
					t.Errorf("%s %s: %v %d %s", method, path, err, answer.Status, answer.Body)
					return
				}
				if answered.Add(1); expected == http.StatusCreated {
					created.Add(1)
				}
			}
		})
	}
	awaitMore := func() {
		before := answered.Load()
		require.Eventually(t, func() bool { return answered.Load() >= before+5*clients || t.Failed() }, eventTimeout, eventTimeout/1000)
	}
	for i := range gateways {
		awaitMore()
		gateways[i].stop()
		awaitMore()
		require.NoError(t, <-gateways[i].ended)
		awaitMore()
		run(i)
	}
	awaitMore()
	close(ended)
	wg.Wait()
	require.EqualValues(t, created.Load(), db.Count(t, "MATCH (p:Person) RETURN count(p)", nil))
}
