package faulttest

import (
	"context"
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

	"graphrest/internal/neo4jtest"
)

// TestTheFaultsBite shows that the same faults harm a client that has none of the gateway's protection: the bare driver,
// with a simple repetition. Else the test above would prove nothing.
func TestTheFaultsBite(t *testing.T) {
	db := neo4jtest.Open(t)
	upstream, err := url.Parse(db.URI)
	require.NoError(t, err)
	w := &world{t: t, whole: t, db: db, proxy: toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "bare", "127.0.0.1:0", upstream.Host)}
	require.NoError(t, w.proxy.Start())
	t.Cleanup(w.proxy.Stop)
	driver, err := neo4j.NewDriverWithContext("bolt://"+w.proxy.Listen, neo4j.BasicAuth(db.Username, db.Password, ""), func(c *config.Config) {
		c.ConnectionAcquisitionTimeout = time.Minute
	})
	require.NoError(t, err)
	ctx := context.Background()
	t.Cleanup(func() { _ = driver.Close(ctx) })
	once := func(ctx context.Context, cypher string, parameters map[string]any) error {
		session := driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
		defer func() { _ = session.Close(ctx) }()
		result, err := session.Run(ctx, cypher, parameters)
		if err == nil {
			_, err = result.Consume(ctx)
		}
		return err
	}
	require.NoError(t, once(ctx, "CREATE (:Bare {n: 0})", nil))

	t.Run("cut replies double a create that is repeated", func(t *testing.T) {
		var number atomic.Int64
		stop := make(chan struct{})
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					n := number.Add(1)
					for once(ctx, "CREATE (:Bare {n: $n})", map[string]any{"n": n}) != nil {
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		doubled := func() bool {
			cutReplies(w, nil)
			return db.Count(t, "MATCH (b:Bare) WITH b.n AS n, count(*) AS times WHERE times > 1 RETURN count(*)", nil) > 0
		}
		require.Eventually(t, doubled, patience, time.Millisecond)
		close(stop)
		group.Wait()
	})
	t.Run("a black hole holds a call without a bound", func(t *testing.T) {
		mend := w.toxic("timeout", "downstream", map[string]any{"timeout": 0})
		bounded, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		began := time.Now()
		require.Error(t, once(bounded, "RETURN 1", nil))
		require.Greater(t, time.Since(began), 2*time.Second, "nothing but the test's own deadline ended it")
		mend()
	})
}
