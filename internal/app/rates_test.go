package app

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/redistest"
	"graphrest/internal/testmark"
)

// Two gateways, four tokens of one user, 2,000 concurrent calls: the user gets exactly the limit, of which each login used one.
func TestReplicasShareTheRateLimit(t *testing.T) {
	testmark.Concurrent(t)
	const limit, calls, tokens = 1000, 2000, 4
	redis := redistest.Start(t)
	db := neo4jtest.OpenPrepared(t)
	var gateways []*gateway
	var signedIn []string
	for range 2 {
		gateways = append(gateways, startLimited(t, db, redis))
	}
	for i := range tokens {
		signedIn = append(signedIn, gateways[i%2].login(t))
	}
	answers := countAnswers(gateways, signedIn, calls, nil)
	require.Equal(t, map[int]int{http.StatusOK: limit - tokens, http.StatusTooManyRequests: calls - limit + tokens}, answers)

	for _, g := range gateways {
		require.Contains(t, g.metrics(t), "\ngraphrest_rate_limit_shared 1\n")
	}
	redis.Kill(t)
	require.Equal(t, http.StatusOK, gateways[0].status("/api/auth/me", signedIn[0]), "without Redis each gateway counts separately")
	require.Contains(t, gateways[0].metrics(t), "\ngraphrest_rate_limit_shared 0\n")
	require.Contains(t, gateways[0].metrics(t), "graphrest_rate_limit_fallbacks_total 1")
	for _, g := range gateways {
		g.stop()
		require.NoError(t, <-g.ended)
	}
}

// Redis is killed while two gateways serve one user, and comes back empty: every request is admitted or has used up a limit, each gateway
// admits the limit for itself in between, and both share one limit again afterwards.
func TestRedisLostAndBackFailsNoRequest(t *testing.T) {
	testmark.Concurrent(t)
	const limit = 200
	redis := redistest.Start(t)
	db := neo4jtest.OpenPrepared(t)
	var gateways []*gateway
	var signedIn []string
	for range 2 {
		g := startLimited(t, db, redis, fmt.Sprintf("GRAPHREST_RATE_LIMIT=%d", limit))
		gateways, signedIn = append(gateways, g), append(signedIn, g.login(t))
	}
	lost := countAnswers(gateways, signedIn, 6*limit, func() { redis.Kill(t) })
	require.Equal(t, 6*limit, lost[http.StatusOK]+lost[http.StatusTooManyRequests], "%v", lost)
	require.GreaterOrEqual(t, lost[http.StatusOK], 2*limit, "each gateway counts for itself")
	require.Less(t, lost[http.StatusOK], 3*limit, "the shared limit, and one for each gateway")
	for _, g := range gateways {
		require.Contains(t, g.metrics(t), "\ngraphrest_rate_limit_shared 0\n")
	}
	redis.Restart(t)
	for _, g := range gateways {
		require.Eventually(t, func() bool { return strings.Contains(g.metrics(t), "\ngraphrest_rate_limit_shared 1\n") },
			eventTimeout, eventTimeout/1000)
	}
	require.Equal(t, map[int]int{http.StatusOK: limit, http.StatusTooManyRequests: limit}, countAnswers(gateways, signedIn, 2*limit, nil))
}

// startLimited starts a gateway that counts in Redis.
func startLimited(t *testing.T, db *neo4jtest.DB, redis *redistest.Server, settings ...string) *gateway {
	t.Helper()
	g := start(t, db.URI, db.Username, db.Password,
		append(settings, "GRAPHREST_REDIS_URL="+redis.URL(), "GRAPHREST_METRICS_LISTEN=127.0.0.1:0")...)
	g.waitReady(t)
	return g
}

// countAnswers sends concurrent calls to gateways in turn, with tokens in turn, and counts the answers by status. After an eighth of the
// calls it does something else at the same time, if that is given.
func countAnswers(gateways []*gateway, tokens []string, calls int, meanwhile func()) map[int]int {
	const workers = 32
	var mu sync.Mutex
	var group sync.WaitGroup
	answers, next := map[int]int{}, 0
	for range workers {
		group.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for next < calls {
				i := next
				next++
				if i == calls/8 && meanwhile != nil {
					group.Go(meanwhile)
				}
				mu.Unlock()
				status := gateways[i%len(gateways)].status("/api/auth/me", tokens[i/len(gateways)%len(tokens)])
				mu.Lock()
				answers[status]++
			}
		})
	}
	group.Wait()
	return answers
}
