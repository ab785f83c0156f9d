package app

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/redistest"
	"graphrest/internal/testmark"
)

// Two gateways, four tokens of one user, 2,000 concurrent calls: the user gets exactly the limit, of which each login used one.
func TestReplicasShareTheRateLimit(t *testing.T) {
	testmark.Concurrent(t)
	const limit, calls, tokens, workers = 1000, 2000, 4, 32
	redis := redistest.Start(t)
	db := neo4jtest.OpenPrepared(t)
	var gateways []*gateway
	var signedIn []string
	for range 2 {
		g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_REDIS_URL="+redis.URL(), "GRAPHREST_METRICS_LISTEN=127.0.0.1:0")
		g.waitReady(t)
		gateways = append(gateways, g)
	}
	for i := range tokens {
		signedIn = append(signedIn, gateways[i%2].login(t))
	}
	var admitted, rejected, other, next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := next.Add(1); i <= calls; i = next.Add(1) {
				switch gateways[i%2].status("/api/auth/me", signedIn[i/2%tokens]) {
				case http.StatusOK:
					admitted.Add(1)
				case http.StatusTooManyRequests:
					rejected.Add(1)
				default:
					other.Add(1)
				}
			}
		})
	}
	group.Wait()
	require.EqualValues(t, limit-tokens, admitted.Load())
	require.EqualValues(t, calls-limit+tokens, rejected.Load())
	require.Zero(t, other.Load())

	for _, g := range gateways {
		require.Contains(t, g.metrics(t), "graphrest_rate_limit_shared 1")
	}
	redis.Kill(t)
	require.Equal(t, http.StatusOK, gateways[0].status("/api/auth/me", signedIn[0]), "without Redis each gateway counts separately")
	require.Contains(t, gateways[0].metrics(t), "graphrest_rate_limit_shared 0")
	require.Contains(t, gateways[0].metrics(t), "graphrest_rate_limit_fallbacks_total 1")
	for _, g := range gateways {
		g.stop()
		require.NoError(t, <-g.ended)
	}
}
