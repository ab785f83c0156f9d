package app

import (
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

var statementCount = regexp.MustCompile(`(?m)^graphrest_neo4j_statement_duration_seconds_count\{statement="([^"]+)"\} (\d+)$`)

// statements returns how often each statement has been answered.
func (g *gateway) statements(t testing.TB) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, found := range statementCount.FindAllStringSubmatch(g.metrics(t), -1) {
		count, err := strconv.Atoi(found[2])
		require.NoError(t, err)
		counts[found[1]] = count
	}
	return counts
}

// An idle gateway asks the database at most two statements a second: one poll, and what may be older. Slowness of the machine makes fewer.
func TestAnIdleGatewayAsksTwoStatementsASecond(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_METRICS_LISTEN=127.0.0.1:0")
	g.waitReady(t)
	status, body := g.ask(http.MethodPost, "/api/nodes", g.login(t), `{"type":"Idle","properties":{}}`)
	require.Equal(t, http.StatusCreated, status, body)

	polls := func(counts map[string]int) int { return counts["auth_load"] + counts["auth_changes"] }
	const period = 5 // polls
	idle := func() bool {
		before, began := g.statements(t), time.Now()
		after, ended := before, began
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for polls(after) < polls(before)+period && time.Since(began) < eventTimeout {
			<-tick.C
			ended = time.Now()
			after = g.statements(t)
		}
		require.GreaterOrEqual(t, polls(after), polls(before)+period, "the users are polled")
		total := 0
		for name, count := range after {
			if more := count - before[name]; more > 0 {
				total += more
				t.Logf("%s: %d in %s", name, more, ended.Sub(began))
			}
		}
		return float64(total) <= 2*ended.Sub(began).Seconds()+1
	}
	// At first the gateway plans statements ahead and does what the request has left: it becomes idle after a time that the machine decides.
	quiet := false
	for began := time.Now(); !quiet && time.Since(began) < eventTimeout; {
		quiet = idle()
	}
	require.True(t, quiet)
	g.stop()
	require.NoError(t, <-g.ended)
}
