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

	"graphrest/internal/neo4jtest"
)

// kind is one way to break things. inject breaks and mends them and says how many faults that were; load is at work
// meanwhile.
type kind struct {
	name   string
	inject func(w *world, l *load) int
	// answered says that no request may be left without an answer: neither gateway is killed.
	answered bool
}

// spell is how long a fault of the network lasts.
const spell = time.Second

// network is a fault of Toxiproxy's for a while.
func network(name, toxic, stream string, attributes map[string]any) kind {
	return kind{name, func(w *world, _ *load) int {
		mend := w.toxic(toxic, stream, attributes)
		time.Sleep(spell)
		mend()
		return 1
	}, true}
}

func kinds() []kind {
	return []kind{
		{"Neo4j killed and started again", killNeo4j, true},
		{"Neo4j frozen", freezeNeo4j, true},
		{"connections cut in the middle of replies", cutReplies, true},
		{"connections cut in the middle of requests", cutRequests, true},
		network("latency of 300 ms, 200 ms more or less", "latency", "downstream", map[string]any{"latency": 300, "jitter": 200}),
		network("replies in slices of 50 bytes", "slicer", "downstream", map[string]any{"average_size": 50, "size_variation": 25, "delay": 200}),
		network("20 KB a second", "bandwidth", "downstream", map[string]any{"rate": 20}),
		network("connections reset", "reset_peer", "downstream", map[string]any{"timeout": 50}),
		network("connections half closed for a while", "slow_close", "downstream", map[string]any{"delay": 500}),
		network("a black hole", "timeout", "downstream", map[string]any{"timeout": 0}),
		{"connections refused", refuse, true},
		{"every connection in use", exhaust, true},
		{"clients that send slowly, or do not read", slowClients, true},
		{"a gateway killed", killGateway, false},
		{"rolling restart of the gateways", rollingRestart, true},
	}
}

func killNeo4j(w *world, _ *load) int {
	options := w.server.Options()
	require.NoError(w.t, w.server.Kill())
	time.Sleep(time.Second)
	w.server = neo4jtest.FreshServer(w.whole, options)
	w.db = neo4jtest.Connect(w.whole, w.server)
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
