package faulttest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
)

// scenario is one kind of fault. inject causes and removes faults while the load runs, and returns their number.
type scenario struct {
	name   string
	inject func(w *testbed, l *load) int
	rounds int // if FAULT_ROUNDS is 10; at least one is run
	// killsGateways permits requests without an answer.
	killsGateways bool

	baselineEffect  func(*unprotectedClient) string // shows the effect without the gateway's protection, and describes it
	noEffectBecause string                          // why there is no effect to show
	exclusive       bool                            // needs exclusive use of Neo4j and the gateways
}

// faultDuration is how long a network fault lasts.
const faultDuration = time.Second

// network returns an inject function that adds one of Toxiproxy's toxics for faultDuration.
func network(toxic, stream string, attributes map[string]any) func(*testbed, *load) int {
	return func(w *testbed, _ *load) int {
		restore := w.toxic(toxic, stream, attributes)
		time.Sleep(faultDuration)
		restore()
		return 1
	}
}

// Attributes of Toxiproxy's toxics.
var (
	jittery = map[string]any{"latency": 300, "jitter": 200}
	sliced  = map[string]any{"average_size": 50, "size_variation": 25, "delay": 200}
	narrow  = map[string]any{"rate": 20}
	reset   = map[string]any{"timeout": 50}
	late    = map[string]any{"delay": 500}
	silent  = map[string]any{"timeout": 0}
)

func scenarios() []scenario {
	resets := network("reset_peer", "downstream", reset)
	return []scenario{
		{name: "Neo4j killed and started again", inject: killNeo4j, rounds: 20, baselineEffect: hangWhenDead, exclusive: true},
		{name: "Neo4j's disk full", inject: fillDisk, rounds: 5, baselineEffect: failWhenFull, exclusive: true},
		{name: "Neo4j frozen", inject: freezeNeo4j, rounds: 50, baselineEffect: hangWhenFrozen, exclusive: true},
		{name: "connections cut in the middle of replies", inject: cutReplies, rounds: 50, baselineEffect: duplicateCreates(cutReplies)},
		{name: "connections cut in the middle of requests", inject: cutRequests, rounds: 10, baselineEffect: failOnCutRequests},
		{
			name: "latency of 300 ms, 200 ms more or less", inject: network("latency", "downstream", jittery), rounds: 10,
			noEffectBecause: "none: calls take longer, with the gateway too",
		},
		{
			name: "replies in slices of 50 bytes", inject: network("slicer", "downstream", sliced), rounds: 10,
			noEffectBecause: "none: the driver puts the slices together",
		},
		{
			name: "20 KB a second", inject: network("bandwidth", "downstream", narrow), rounds: 10,
			baselineEffect: hangOn("bandwidth", narrow, "RETURN range(1, 1000000)"),
		},
		{name: "connections reset", inject: resets, rounds: 10, baselineEffect: duplicateCreates(resets)},
		{
			name: "connections half closed for a while", inject: network("slow_close", "downstream", late), rounds: 10,
			noEffectBecause: "none: it only delays an end, and nothing ends",
		},
		{
			name: "a black hole", inject: network("timeout", "downstream", silent), rounds: 10,
			baselineEffect: hangOn("timeout", silent, "RETURN 1"),
		},
		{name: "connections refused", inject: refuse, rounds: 10, baselineEffect: failWhenRefused},
		{name: "every connection in use", inject: exhaust, rounds: 10, baselineEffect: queueWhenExhausted},
		{name: "clients that send slowly, or do not read", inject: slowClients, rounds: 10, baselineEffect: hangOnSlowClients},
		{
			name: "a gateway killed", inject: killGateway, rounds: 25, killsGateways: true,
			baselineEffect: func(b *unprotectedClient) string { return b.guarded.duplicateByKills() }, exclusive: true,
		},
		{
			name: "rolling restart of the gateways", inject: rollingRestart, rounds: 10,
			baselineEffect: func(b *unprotectedClient) string { return b.guarded.loseAnswersByKills() }, exclusive: true,
		},
	}
}

func killNeo4j(w *testbed, l *load) int {
	end := w.watchOutage(l)
	require.NoError(w.t, w.server.Kill())
	time.Sleep(time.Second)
	w.restart(l)
	end()
	return 1
}

func freezeNeo4j(w *testbed, _ *load) int {
	require.NoError(w.t, syscall.Kill(w.server.Pid(), syscall.SIGSTOP))
	time.Sleep(faultDuration)
	require.NoError(w.t, syscall.Kill(w.server.Pid(), syscall.SIGCONT))
	return 1
}

// cutReplies repeatedly closes each connection after some bytes of Neo4j's replies, so that some replies to COMMIT are lost.
func cutReplies(w *testbed, _ *load) int { return cut(w, "downstream", 300, 6000) }

func cutRequests(w *testbed, _ *load) int { return cut(w, "upstream", 300, 6000) }

func cut(w *testbed, stream string, minBytes, maxBytes int) int {
	const times = 10
	for range times {
		restore := w.toxic("limit_data", stream, map[string]any{"bytes": minBytes + rand.IntN(maxBytes-minBytes)})
		time.Sleep(faultDuration / 5)
		restore()
		time.Sleep(faultDuration / 10)
	}
	return times
}

func refuse(w *testbed, _ *load) int {
	w.proxy.Stop()
	time.Sleep(faultDuration)
	require.NoError(w.t, w.proxy.Start())
	return 1
}

// exhaust requests more concurrent slow lists than there are connections. Requests without a connection fail fast, and
// afterwards the gateways recover.
func exhaust(w *testbed, l *load) int {
	restore := w.toxic("latency", "downstream", map[string]any{"latency": 800})
	runConcurrently(6*poolSize, func(i int) {
		l.send(rand.New(rand.NewPCG(uint64(i), 1)), http.MethodGet, "/api/nodes?limit=5&type="+nodeLabel, "", "")
	})
	restore()
	return 1
}

// slowClients occupy connections: with an incomplete header, and without reading the answer. The gateway closes the
// first itself; the test closes the others.
func slowClients(w *testbed, l *load) int {
	const each = 20
	runConcurrently(each, func(int) {
		conn, err := net.Dial("tcp", w.gateways[0].address)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
		_ = conn.SetReadDeadline(time.Now().Add(waitTimeout))
		_, err = io.ReadAll(conn) // until the gateway closes the connection
		if errors.Is(err, os.ErrDeadlineExceeded) {
			l.addViolation("the wait for an incomplete header has no timeout")
		}
	})
	var held []net.Conn
	for i := range each {
		conn, err := net.Dial("tcp", w.gateways[i%replicas].address)
		require.NoError(w.t, err)
		_, _ = fmt.Fprintf(conn, "GET /api/nodes?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", w.token)
		held = append(held, conn)
	}
	time.Sleep(faultDuration)
	for _, conn := range held {
		_ = conn.Close()
	}
	return 2 * each
}

func killGateway(w *testbed, _ *load) int {
	for _, g := range w.gateways {
		g.end(w.t, syscall.SIGKILL)
		time.Sleep(faultDuration / 3)
		g.start(w.t)
		w.awaitReady()
	}
	return replicas
}

// rollingRestart restarts the gateways as a deployment does: no started request is lost.
func rollingRestart(w *testbed, _ *load) int {
	for _, g := range w.gateways {
		g.end(w.t, syscall.SIGTERM)
		g.start(w.t)
		w.awaitReady()
	}
	return replicas
}
