package faulttest

import (
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A database that stops for two seconds, as on a machine without enough CPU, is waited for within the time limit of the requests: every one
// is answered with success.
func TestStallIsWaitedFor(t *testing.T) {
	const clients, stall = 32, 2 * time.Second
	w := newTestbed(t, "GRAPHREST_QUERY_TIMEOUT=15s", "GRAPHREST_POOL_SIZE=50")
	l := w.startLoad(new(atomic.Int64), clients)
	acknowledge := func(more int64) {
		until := l.acknowledged.Load() + more
		require.Eventually(t, func() bool { return l.acknowledged.Load() >= until }, waitTimeout, 10*time.Millisecond)
	}
	acknowledge(300)
	require.NoError(t, syscall.Kill(w.server.Pid(), syscall.SIGSTOP))
	time.Sleep(stall)
	require.NoError(t, syscall.Kill(w.server.Pid(), syscall.SIGCONT))
	acknowledge(300)
	l.end()
	require.GreaterOrEqual(t, l.worst, stall/2, "no request waited")
	for status, count := range l.answers {
		require.Less(t, status, 300, "%d answers of %v\n%s", count, l.answers, w.logs())
	}
	require.Empty(t, l.unanswered)
}
