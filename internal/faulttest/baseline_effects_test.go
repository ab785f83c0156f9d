package faulttest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
)

// duplicateCreates shows that a client that retries creates itself creates duplicates when replies are lost.
func duplicateCreates(inject func(*testbed, *load) int) func(*unprotectedClient) string {
	return func(b *unprotectedClient) string {
		times := b.duplicateUntilSeen(b.t.Name(), func() { inject(b.testbed, nil) })
		return fmt.Sprintf("creates repeated by hand: %d doubled", times)
	}
}

// failOnCutRequests shows that cut requests fail with the driver's error.
func failOnCutRequests(b *unprotectedClient) string {
	calls, failed := 0, 0
	var last error
	for end := time.Now().Add(waitTimeout); failed == 0 && time.Now().Before(end); {
		restore := b.toxic("limit_data", "upstream", map[string]any{"bytes": 300 + rand.IntN(1000)})
		for range 20 {
			calls++
			if err := b.once(context.Background(), "RETURN 1", nil); err != nil {
				failed++
				last = err
			}
		}
		restore()
	}
	require.Positive(b.t, failed, "no call fails")
	require.True(b.t, exposesInternals(last), "%v", last)
	return fmt.Sprintf("%d of %d calls fail, with the driver's own error", failed, calls)
}

// exposesInternals reports whether an error contains the database's address or the driver's error types.
func exposesInternals(err error) bool {
	text := err.Error()
	return strings.Contains(text, "127.0.0.1") || strings.Contains(text, "Neo4jError") || strings.Contains(text, "ConnectivityError")
}

// hangOn shows that a call hangs on a network with the given toxic.
func hangOn(toxic string, attributes map[string]any, cypher string) func(*unprotectedClient) string {
	return func(b *unprotectedClient) string {
		restore := b.toxic(toxic, "downstream", attributes)
		defer restore()
		return b.requireHang(func(ctx context.Context) { _ = b.once(ctx, cypher, nil) })
	}
}

// requireHang requires that a call lasts until its context ends.
func (b *unprotectedClient) requireHang(call func(context.Context)) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hangTime)
	defer cancel()
	began := time.Now()
	call(ctx)
	took := time.Since(began)
	require.GreaterOrEqual(b.t, took, hangTime, "the call ended before its context")
	return fmt.Sprintf("a call is held for %.1f s, until the test ends it", took.Seconds())
}

// hangWhenFrozen shows that no timeout ends a call to a Neo4j that keeps its connections open and does not answer.
func hangWhenFrozen(b *unprotectedClient) string {
	require.NoError(b.t, syscall.Kill(b.server.Pid(), syscall.SIGSTOP))
	defer func() { require.NoError(b.t, syscall.Kill(b.server.Pid(), syscall.SIGCONT)) }()
	return b.requireHang(func(ctx context.Context) { _ = b.once(ctx, "RETURN 1", nil) })
}

// hangWhenDead shows the driver's own retries, which last half a minute by default.
func hangWhenDead(b *unprotectedClient) string {
	require.NoError(b.t, b.server.Kill())
	return b.requireHang(func(ctx context.Context) {
		_, _ = neo4j.ExecuteQuery(ctx, b.driver, "RETURN 1", nil, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase(b.db.Database))
	})
}

// failWhenRefused shows the error of a call to an address where no process listens.
func failWhenRefused(b *unprotectedClient) string {
	b.proxy.Stop()
	err := b.once(context.Background(), "RETURN 1", nil)
	require.Error(b.t, err)
	require.True(b.t, exposesInternals(err), "%v", err)
	return "each call fails at once, with an error that names the database's address"
}

// queueWhenExhausted shows how long callers wait if there are more of them than connections: the driver's own limit is a minute.
func queueWhenExhausted(b *unprotectedClient) string {
	restore := b.toxic("latency", "downstream", map[string]any{"latency": 800})
	defer restore()
	var mu sync.Mutex
	var worst time.Duration
	runConcurrently(9*poolSize, func(int) {
		began := time.Now()
		_ = b.once(context.Background(), "RETURN 1", nil)
		mu.Lock()
		defer mu.Unlock()
		worst = max(worst, time.Since(began))
	})
	require.Greater(b.t, worst, hangTime)
	return fmt.Sprintf("the last of %d callers waits %.1f s", 9*poolSize, worst.Seconds())
}

// hangOnSlowClients shows a server without timeouts.
func hangOnSlowClients(b *unprotectedClient) string {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.CloseClientConnections()
	var kept atomic.Int64
	runConcurrently(20, func(int) {
		conn, err := net.Dial("tcp", plain.Listener.Addr().String())
		if err != nil {
			return // the assertion on the count fails
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
		_ = conn.SetReadDeadline(time.Now().Add(hangTime))
		if _, err = conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			kept.Add(1)
		}
	})
	require.EqualValues(b.t, 20, kept.Load())
	return fmt.Sprintf("a server without timeouts: 20 of 20 incomplete headers are kept open for %s, until the test ends them", hangTime)
}

// duplicateByKills retries creates without an Idempotency-Key while gateways are killed.
func (w *testbed) duplicateByKills() string {
	restore := w.toxic("latency", "downstream", map[string]any{"latency": 100}) // so that more requests are in flight
	defer restore()
	var numbers atomic.Int64
	l := w.startLoad(&numbers, 0)
	for i := range 8 {
		l.running.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 3))
			for !l.stopped() {
				body := fmt.Sprintf(`{"type":"Bare","properties":{"kind":"kill","n":%d}}`, numbers.Add(1))
				for status := 0; status != http.StatusCreated && !l.stopped(); {
					status, _ = l.send(random, http.MethodPost, "/api/nodes", body, "")
				}
			}
		})
	}
	defer l.end()
	times := w.untilDuplicated(func() { killGateway(w, l) }, "kill")
	return fmt.Sprintf("creates repeated without `Idempotency-Key`: %d doubled", times)
}

// loseAnswersByKills shows a rolling restart that does not drain.
func (w *testbed) loseAnswersByKills() string {
	var numbers atomic.Int64
	l := w.startLoad(&numbers, 8)
	unanswered := 0
	for end := time.Now().Add(waitTimeout); unanswered == 0 && time.Now().Before(end); {
		killGateway(w, l)
		l.mu.Lock()
		for _, times := range l.unanswered {
			unanswered += times
		}
		l.mu.Unlock()
	}
	l.end()
	require.Positive(w.t, unanswered)
	return fmt.Sprintf("SIGKILL in place of SIGTERM: %d requests without an answer", unanswered)
}
