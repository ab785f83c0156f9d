package faulttest

import (
	"context"
	"math/rand/v2"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
)

// hangTime is how long an unprotected call is observed: longer than any request on a gateway.
const hangTime = queryTimeout + time.Second

// unprotectedClient is the driver alone, without the gateway's protection, with its own proxy to the same Neo4j.
type unprotectedClient struct {
	*testbed
	driver  neo4j.DriverWithContext
	guarded *testbed // the gateways, for scenarios that kill or restart them
}

// newUnprotectedClient connects a client for one subtest.
func (w *testbed) newUnprotectedClient(t *testing.T) *unprotectedClient {
	t.Helper()
	upstream, err := url.Parse(w.server.URI)
	require.NoError(t, err)
	proxies := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	proxy := toxiproxy.NewProxy(proxies, "bare", "127.0.0.1:0", upstream.Host)
	b := &unprotectedClient{testbed: &testbed{t: t, parent: t, server: w.server, db: w.db, proxy: proxy}, guarded: w}
	require.NoError(t, b.proxy.Start())
	t.Cleanup(b.proxy.Stop)
	b.driver, err = neo4j.NewDriverWithContext("bolt://"+b.proxy.Listen, neo4j.BasicAuth(w.server.Username, w.server.Password, ""),
		func(c *config.Config) {
			c.MaxConnectionPoolSize = poolSize
		})
	require.NoError(t, err)
	ctx := context.Background()
	t.Cleanup(func() { _ = b.driver.Close(ctx) })
	// Opens a connection. The error is ignored because some subtests start with a broken database.
	_ = b.driver.VerifyConnectivity(ctx)
	return b
}

// once runs a statement without retries.
func (b *unprotectedClient) once(ctx context.Context, cypher string, parameters map[string]any) error {
	session := b.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: b.db.Database})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, cypher, parameters)
	if err == nil {
		_, err = result.Consume(ctx)
	}
	return err
}

// duplicateUntilSeen creates nodes from several clients, retrying each until it is acknowledged, injects a fault until there are
// duplicates, and returns their number.
func (b *unprotectedClient) duplicateUntilSeen(kind string, inject func()) int64 {
	b.t.Helper()
	var number atomic.Int64
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for isOpen(stop) {
				row := map[string]any{"kind": kind, "n": number.Add(1)}
				for isOpen(stop) && b.once(context.Background(), "CREATE (:Bare {kind: $kind, n: $n})", row) != nil {
					time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
				}
			}
		})
	}
	defer func() {
		close(stop)
		group.Wait()
	}()
	return b.untilDuplicated(inject, kind)
}

// untilDuplicated injects a fault until there are duplicate nodes, and returns their number.
func (w *testbed) untilDuplicated(inject func(), kind string) (times int64) {
	w.t.Helper()
	for end := time.Now().Add(waitTimeout); times == 0 && time.Now().Before(end); {
		inject()
		times = w.db.Count(w.t, "MATCH (b:Bare {kind: $kind}) WITH b.n AS n, count(*) AS times WHERE times > 1 RETURN count(*)",
			map[string]any{"kind": kind})
	}
	require.Positive(w.t, times, "the fault has no effect")
	return times
}

func isOpen(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return false
	default:
		return true
	}
}
