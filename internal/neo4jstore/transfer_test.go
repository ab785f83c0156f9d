package neo4jstore_test

import (
	"context"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// meter counts the bytes that a database sends. Its buffers are small, so that it counts little that the client does not read.
type meter struct {
	uri  string
	sent atomic.Int64
}

func newMeter(t testing.TB, uri string) *meter {
	t.Helper()
	target, err := url.Parse(uri)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	m := &meter{uri: "bolt://" + listener.Addr().String()}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target.Host)
			if err != nil {
				_ = client.Close()
				continue
			}
			const buffer = 64 << 10
			for _, c := range []net.Conn{client, server} {
				_ = c.(*net.TCPConn).SetReadBuffer(buffer)
				_ = c.(*net.TCPConn).SetWriteBuffer(buffer)
			}
			go forward(server, client, nil)
			go forward(client, server, &m.sent)
		}
	}()
	return m
}

// forward copies what one side sends to the other until either closes.
func forward(to, from net.Conn, count *atomic.Int64) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if count != nil {
			count.Add(int64(n))
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}

// openMetered opens a store that reaches a database through a meter.
func openMetered(t testing.TB, db *neo4jtest.DB, change func(*settings)) (*neo4jstore.Store, *meter) {
	t.Helper()
	m := newMeter(t, db.URI)
	through := *db
	through.URI = m.uri
	return openOn(t, &through, change), m
}

// What the database sends for a page is bounded by the bytes of a page, whether the entities are of a new shape or small ones came before.
func TestAPageTransfersLittleMoreThanItsBytes(t *testing.T) {
	testmark.Concurrent(t)
	// allowed is a page and what is under way when it ends, since the database sends ahead. The whole is 12.5 MiB.
	const each, bound, allowed = 64 << 10, 256 << 10, 3 << 20
	const record = 32 * each // of small entities, as which large ones are read once
	ctx := context.Background()
	db := neo4jtest.OpenPrepared(t)
	s, m := openMetered(t, db, func(c *settings) { c.MaxPageBytes = bound })
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Large", Properties: graph.Properties{"n": int64(0)}})
	require.NoError(t, err)
	db.Exec(t, `CREATE (hub:Large {uuid: 'a'}) WITH hub UNWIND range(1, 200) AS i
		CREATE (hub)-[:TO]->(:Large {uuid: 'a' + right('00' + i, 3), n: i})`, nil)
	db.Exec(t, `CREATE (hub:Large {uuid: 'b'}) WITH hub UNWIND range(201, 400) AS i
		CREATE (hub)-[:TO]->(:Large {uuid: 'b' + i, n: i, text: $text})`, map[string]any{"text": strings.Repeat("x", each)})

	nodes := func(q graph.NodeQuery) func() (int, error) {
		return func() (int, error) {
			page, err := s.Nodes(ctx, q)
			return len(page.Items), err
		}
	}
	neighbors := func(id string) func() (int, error) {
		return func() (int, error) {
			found, err := s.Walks.Neighbors(ctx, graph.NeighborQuery{NodeID: id, Direction: graph.Out, Depth: 1, Limit: 400, MaxDegree: 1000})
			return len(found.Nodes), err
		}
	}
	for _, c := range []struct {
		name    string
		read    func() (int, error)
		allowed int64
	}{
		{"small ones first", nodes(graph.NodeQuery{Type: "Large", Paging: graph.Paging{Limit: 150}}), allowed},
		{"then large ones", nodes(graph.NodeQuery{Type: "Large", Paging: graph.Paging{Limit: 150, Offset: 210}}), allowed},
		{"a new shape, sorted", nodes(graph.NodeQuery{
			Type: "Large", Sort: graph.Sort{{Property: "n", Descending: true}}, Paging: graph.Paging{Limit: 100},
		}), allowed},
		{"a new shape, sorted by an id", nodes(graph.NodeQuery{
			Type: "Large", Sort: graph.Sort{{Property: "uuid", Descending: true}}, Paging: graph.Paging{Limit: 100},
		}), allowed},
		{"small neighbors", neighbors("a"), allowed},
		{"large neighbors", neighbors("b"), allowed + 2*record},
	} {
		before := m.sent.Load()
		count, err := c.read()
		require.NoError(t, err, c.name)
		got := m.sent.Load() - before
		require.Positive(t, count, c.name)
		require.Less(t, got, c.allowed, c.name)
	}
}
