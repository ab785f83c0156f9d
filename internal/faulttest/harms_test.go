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

// doubles is the harm of lost replies to who repeats a create by hand.
func doubles(inject func(*world, *load) int) func(*bare) string {
	return func(b *bare) string {
		times := b.doubled(b.t.Name(), func() { inject(b.world, nil) })
		return fmt.Sprintf("creates repeated by hand: %d doubled", times)
	}
}

// tellsAll is the harm of an error of the driver's that is handed on: requests that are cut fail.
func tellsAll(b *bare) string {
	calls, failed := 0, 0
	var last error
	for end := time.Now().Add(patience); failed == 0 && time.Now().Before(end); {
		mend := b.toxic("limit_data", "upstream", map[string]any{"bytes": 300 + rand.IntN(1000)})
		for range 20 {
			calls++
			if err := b.once(context.Background(), "RETURN 1", nil); err != nil {
				failed++
				last = err
			}
		}
		mend()
	}
	require.Positive(b.t, failed, "no call fails")
	require.True(b.t, leaks(last), "%v", last)
	return fmt.Sprintf("%d of %d calls fail, with the driver's own error", failed, calls)
}

// leaks says whether an error names the address of the database or the driver's own kinds of errors.
func leaks(err error) bool {
	text := err.Error()
	return strings.Contains(text, "127.0.0.1") || strings.Contains(text, "Neo4jError") || strings.Contains(text, "ConnectivityError")
}

// holds is the harm of a network that lets a statement go on and on.
func holds(toxic string, attributes map[string]any, cypher string) func(*bare) string {
	return func(b *bare) string {
		mend := b.toxic(toxic, "downstream", attributes)
		defer mend()
		return b.held(func(ctx context.Context) { _ = b.once(ctx, cypher, nil) })
	}
}

// held wants a call to last until the test ends it.
func (b *bare) held(call func(context.Context)) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), held)
	defer cancel()
	began := time.Now()
	call(ctx)
	took := time.Since(began)
	require.GreaterOrEqual(b.t, took, held, "the call ended by itself")
	return fmt.Sprintf("a call is held for %.1f s, until the test ends it", took.Seconds())
}

// heldWhenFrozen has nothing to bound a call to a Neo4j that keeps its connections and says no more.
func heldWhenFrozen(b *bare) string {
	require.NoError(b.t, syscall.Kill(b.server.Pid(), syscall.SIGSTOP))
	defer func() { require.NoError(b.t, syscall.Kill(b.server.Pid(), syscall.SIGCONT)) }()
	return b.held(func(ctx context.Context) { _ = b.once(ctx, "RETURN 1", nil) })
}

// heldWhenDead is the driver's own repetition, which goes on for half a minute by default.
func heldWhenDead(b *bare) string {
	require.NoError(b.t, b.server.Kill())
	return b.held(func(ctx context.Context) {
		_, _ = neo4j.ExecuteQuery(ctx, b.driver, "RETURN 1", nil, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase(b.db.Database))
	})
}

// toldWhenRefused is the error of a call to an address where nobody listens.
func toldWhenRefused(b *bare) string {
	b.proxy.Stop()
	err := b.once(context.Background(), "RETURN 1", nil)
	require.Error(b.t, err)
	require.True(b.t, leaks(err), "%v", err)
	return "each call fails at once, with an error that names the database's address"
}

// queuesWhenExhausted lets more callers than connections wait for one: the driver's own bound is a minute.
func queuesWhenExhausted(b *bare) string {
	mend := b.toxic("latency", "downstream", map[string]any{"latency": 800})
	defer mend()
	var mu sync.Mutex
	var worst time.Duration
	together(9*poolSize, func(int) {
		began := time.Now()
		_ = b.once(context.Background(), "RETURN 1", nil)
		mu.Lock()
		defer mu.Unlock()
		worst = max(worst, time.Since(began))
	})
	require.Greater(b.t, worst, held)
	return fmt.Sprintf("the last of %d callers waits %.1f s", 9*poolSize, worst.Seconds())
}

// heldBySlowClients is a server without time-outs of its own.
func heldBySlowClients(b *bare) string {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.CloseClientConnections()
	var kept atomic.Int64
	together(20, func(int) {
		conn, err := net.Dial("tcp", plain.Listener.Addr().String())
		if err != nil {
			return // it is missing in the count
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
		_ = conn.SetReadDeadline(time.Now().Add(held))
		if _, err = conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			kept.Add(1)
		}
	})
	require.EqualValues(b.t, 20, kept.Load())
	return fmt.Sprintf("a server without time-outs: 20 of 20 half headers are held for %s, until the test ends them", held)
}

// doubledByKills repeats creates without an Idempotency-Key while gateways are killed.
func (w *world) doubledByKills() string {
	mend := w.toxic("latency", "downstream", map[string]any{"latency": 100}) // so that more is under way
	defer mend()
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
	times := w.untilDoubled(func() { killGateway(w, l) }, "kill")
	return fmt.Sprintf("creates repeated without `Idempotency-Key`: %d doubled", times)
}

// cutByKills is a rolling restart that lets nothing drain.
func (w *world) cutByKills() string {
	var numbers atomic.Int64
	l := w.startLoad(&numbers, 8)
	unanswered := 0
	for end := time.Now().Add(patience); unanswered == 0 && time.Now().Before(end); {
		killGateway(w, l)
		l.mu.Lock()
		for _, times := range l.cut {
			unanswered += times
		}
		l.mu.Unlock()
	}
	l.end()
	require.Positive(w.t, unanswered)
	return fmt.Sprintf("SIGKILL in place of SIGTERM: %d requests without an answer", unanswered)
}
