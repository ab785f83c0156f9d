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

// kind is one way to break things. inject breaks and mends them and says how many faults that were; load is at work
// meanwhile.
type kind struct {
	name   string
	inject func(w *world, l *load) int
	rounds int // where FAULT_ROUNDS is 10; at least one is run
	// killsGateways leaves requests without an answer.
	killsGateways bool

	harm     func(*bare) string // shows what it does without the protection that is tried, and says it in a few words
	harmless string             // why there is nothing to show
	apart    bool               // harm needs Neo4j and the gateways for itself
}

// spell is how long a fault of the network lasts.
const spell = time.Second

// network is a fault of Toxiproxy's for a while.
func network(toxic, stream string, attributes map[string]any) func(*world, *load) int {
	return func(w *world, _ *load) int {
		mend := w.toxic(toxic, stream, attributes)
		time.Sleep(spell)
		mend()
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

func kinds() []kind {
	resets := network("reset_peer", "downstream", reset)
	return []kind{
		{name: "Neo4j killed and started again", inject: killNeo4j, rounds: 20, harm: heldWhenDead, apart: true},
		{name: "Neo4j's disk full", inject: fillDisk, rounds: 5, harm: toldWhenFull, apart: true},
		{name: "Neo4j frozen", inject: freezeNeo4j, rounds: 50, harm: heldWhenFrozen, apart: true},
		{name: "connections cut in the middle of replies", inject: cutReplies, rounds: 50, harm: doubles(cutReplies)},
		{name: "connections cut in the middle of requests", inject: cutRequests, rounds: 10, harm: tellsAll},
		{name: "latency of 300 ms, 200 ms more or less", inject: network("latency", "downstream", jittery), rounds: 10, harmless: "none: calls take longer, with the gateway too"},
		{name: "replies in slices of 50 bytes", inject: network("slicer", "downstream", sliced), rounds: 10, harmless: "none: the driver puts the slices together"},
		{name: "20 KB a second", inject: network("bandwidth", "downstream", narrow), rounds: 10, harm: holds("bandwidth", narrow, "RETURN range(1, 1000000)")},
		{name: "connections reset", inject: resets, rounds: 10, harm: doubles(resets)},
		{name: "connections half closed for a while", inject: network("slow_close", "downstream", late), rounds: 10, harmless: "none: it only delays an end, and nothing ends"},
		{name: "a black hole", inject: network("timeout", "downstream", silent), rounds: 10, harm: holds("timeout", silent, "RETURN 1")},
		{name: "connections refused", inject: refuse, rounds: 10, harm: toldWhenRefused},
		{name: "every connection in use", inject: exhaust, rounds: 10, harm: queuesWhenExhausted},
		{name: "clients that send slowly, or do not read", inject: slowClients, rounds: 10, harm: heldBySlowClients},
		{name: "a gateway killed", inject: killGateway, rounds: 25, killsGateways: true, harm: func(b *bare) string { return b.guarded.doubledByKills() }, apart: true},
		{name: "rolling restart of the gateways", inject: rollingRestart, rounds: 10, harm: func(b *bare) string { return b.guarded.cutByKills() }, apart: true},
	}
}

func killNeo4j(w *world, l *load) int {
	end := w.away(l)
	require.NoError(w.t, w.server.Kill())
	time.Sleep(time.Second)
	w.restart(l)
	end()
	return 1
}

func freezeNeo4j(w *world, _ *load) int {
	require.NoError(w.t, syscall.Kill(w.server.Pid(), syscall.SIGSTOP))
	time.Sleep(spell)
	require.NoError(w.t, syscall.Kill(w.server.Pid(), syscall.SIGCONT))
	return 1
}

// cutReplies closes each connection after some bytes of what Neo4j says, again and again, so that among what is lost are
// answers to COMMIT.
func cutReplies(w *world, _ *load) int { return cut(w, "downstream", 300, 6000) }

func cutRequests(w *world, _ *load) int { return cut(w, "upstream", 300, 6000) }

func cut(w *world, stream string, least, most int) int {
	const times = 10
	for range times {
		mend := w.toxic("limit_data", stream, map[string]any{"bytes": least + rand.IntN(most-least)})
		time.Sleep(spell / 5)
		mend()
		time.Sleep(spell / 10)
	}
	return times
}

func refuse(w *world, _ *load) int {
	w.proxy.Stop()
	time.Sleep(spell)
	require.NoError(w.t, w.proxy.Start())
	return 1
}

// exhaust asks for more slow lists at once than there are connections. Those that find none are told so soon, and afterwards
// all is as before.
func exhaust(w *world, l *load) int {
	mend := w.toxic("latency", "downstream", map[string]any{"latency": 800})
	together(6*poolSize, func(i int) {
		l.send(rand.New(rand.NewPCG(uint64(i), 1)), http.MethodGet, "/api/nodes?limit=5&type="+nodeLabel, "", "")
	})
	mend()
	return 1
}

// slowClients hold connections: with half a header, with half a body, and without reading the answer. The gateway ends the
// first by itself; the others end with the test's patience.
func slowClients(w *world, l *load) int {
	const each = 20
	together(each, func(int) {
		conn, err := net.Dial("tcp", w.gateways[0].address)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		_, err = io.ReadAll(conn) // until the gateway closes it
		if errors.Is(err, os.ErrDeadlineExceeded) {
			l.wrongly("a header that does not end is waited for without a bound")
		}
	})
	var held []net.Conn
	for i := range each {
		conn, err := net.Dial("tcp", w.gateways[i%replicas].address)
		require.NoError(w.t, err)
		_, _ = fmt.Fprintf(conn, "GET /api/nodes?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", w.token)
		held = append(held, conn)
	}
	time.Sleep(spell)
	for _, conn := range held {
		_ = conn.Close()
	}
	return 2 * each
}

func killGateway(w *world, _ *load) int {
	for _, g := range w.gateways {
		g.end(w.t, syscall.SIGKILL)
		time.Sleep(spell / 3)
		g.start(w.t)
		w.awaitReady()
	}
	return replicas
}

// rollingRestart is what a new version's roll-out does: no request that was begun is lost.
func rollingRestart(w *world, _ *load) int {
	for _, g := range w.gateways {
		g.end(w.t, syscall.SIGTERM)
		g.start(w.t)
		w.awaitReady()
	}
	return replicas
}
