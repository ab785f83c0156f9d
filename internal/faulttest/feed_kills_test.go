package faulttest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// What `make test-feed` sets.
const (
	killsVariable      = "FEED_KILLS"  // kills of a gateway or of Neo4j; default 3
	killReportVariable = "FEED_REPORT" // file that the figures are written to
)

const (
	// killsInRound is after how many kills the graph that the feed describes is compared with the database.
	killsInRound = 10
	// neo4jShare is which part of the kills is of Neo4j: one of so many.
	neo4jShare = 4
)

// TestFeedAmongKills kills gateways and Neo4j at random moments while eight clients write, one reader follows the feed by long polling on
// both replicas, and another by server-sent events. Both must read each change exactly once, and those of an entity in order.
func TestFeedAmongKills(t *testing.T) {
	testmark.Long(t)
	kills, err := strconv.Atoi(valueOr(os.Getenv(killsVariable), "3"))
	require.NoError(t, err)
	w := newTestbed(t)
	w.feed = w.followFeed()
	events := w.followEvents()
	var numbers atomic.Int64
	random := rand.New(rand.NewPCG(uint64(kills), uint64(time.Now().UnixNano())))
	total, ofNeo4j := figures{scenario: "kills"}, 0
	for done := 0; done < kills; {
		round := scenario{name: "kills", killsGateways: true, inject: func(w *testbed, l *load) int {
			some := min(killsInRound, kills-done)
			for i := range some {
				l.awaitAcknowledged(int64(1 + random.IntN(60)))
				if (done+i)%neo4jShare == neo4jShare-1 {
					ofNeo4j++
					require.NoError(w.t, w.server.Kill())
					w.startAgain()
				} else {
					g := w.gateways[random.IntN(replicas)]
					g.end(w.t, syscall.SIGKILL)
					g.start(w.t)
				}
			}
			return some
		}}
		f := w.round(round, &numbers)
		total.add(f)
		done += f.faults
		events.check(t)
		t.Logf("%d kills, %d of them of Neo4j; %d acknowledged", done, ofNeo4j, total.acknowledged)
	}
	report := fmt.Sprintf("Gateways were killed %d times and Neo4j %d times, at random moments, while eight clients wrote: %d requests "+
		"were acknowledged, %d lost, %d doubled.\n", total.faults-ofNeo4j, ofNeo4j, total.acknowledged, total.lost, total.doubled)
	report += w.feed.report() + events.report()
	t.Log("\n" + report)
	if file := os.Getenv(killReportVariable); file != "" && !t.Failed() {
		write(t, file, "make test-feed", report)
	}
}

// awaitAcknowledged waits until more requests are acknowledged.
func (l *load) awaitAcknowledged(more int64) {
	l.w.t.Helper()
	enough := l.acknowledged.Load() + more
	require.Eventually(l.w.t, func() bool { return l.acknowledged.Load() > enough }, waitTimeout, 2*time.Millisecond,
		"requests are no longer acknowledged:\n%s", l.w.logs())
}
