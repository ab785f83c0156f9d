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

// held is how long a call without protection is watched: longer than a gateway lets any last.
const held = queryTimeout + time.Second

// bare is a client without the gateway's protection, the driver alone, with a proxy of its own before the same Neo4j.
type bare struct {
	*world
	driver  neo4j.DriverWithContext
	guarded *world // the gateways, for the kinds that are about them
}

// bare makes one for a part of the test.
func (w *world) bare(t *testing.T) *bare {
	t.Helper()
	upstream, err := url.Parse(w.server.URI)
	require.NoError(t, err)
	proxies := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	b := &bare{world: &world{t: t, whole: t, server: w.server, db: w.db, proxy: toxiproxy.NewProxy(proxies, "bare", "127.0.0.1:0", upstream.Host)}, guarded: w}
	require.NoError(t, b.proxy.Start())
	t.Cleanup(b.proxy.Stop)
	b.driver, err = neo4j.NewDriverWithContext("bolt://"+b.proxy.Listen, neo4j.BasicAuth(w.server.Username, w.server.Password, ""), func(c *config.Config) {
		c.MaxConnectionPoolSize = poolSize
	})
	require.NoError(t, err)
	ctx := context.Background()
	t.Cleanup(func() { _ = b.driver.Close(ctx) })
	_ = b.driver.VerifyConnectivity(ctx) // so that the fault finds a connection; not every part begins with a database that is well
	return b
}

// once runs a statement one time.
func (b *bare) once(ctx context.Context, cypher string, parameters map[string]any) error {
	session := b.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: b.db.Database})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, cypher, parameters)
	if err == nil {
		_, err = result.Consume(ctx)
	}
	return err
}

// doubled creates nodes from several clients, each until it is acknowledged, injects a fault until nodes are there twice,
// and says how many.
func (b *bare) doubled(kind string, inject func()) int64 {
	b.t.Helper()
	var number atomic.Int64
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for running(stop) {
				row := map[string]any{"kind": kind, "n": number.Add(1)}
				for running(stop) && b.once(context.Background(), "CREATE (:Bare {kind: $kind, n: $n})", row) != nil {
					time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
				}
			}
		})
	}
	defer func() {
		close(stop)
		group.Wait()
	}()
	return b.untilDoubled(inject, kind)
}

// untilDoubled injects a fault until nodes are there twice, and says how many.
func (w *world) untilDoubled(inject func(), kind string) (times int64) {
	w.t.Helper()
	for end := time.Now().Add(patience); times == 0 && time.Now().Before(end); {
		inject()
		times = w.db.Count(w.t, "MATCH (b:Bare {kind: $kind}) WITH b.n AS n, count(*) AS times WHERE times > 1 RETURN count(*)", map[string]any{"kind": kind})
	}
	require.Positive(w.t, times, "the fault does no harm")
	return times
}

func running(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return false
	default:
		return true
	}
}
