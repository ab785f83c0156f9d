package neo4jstore_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// call is one call of a worker and its result.
type call struct {
	began time.Time
	took  time.Duration
	code  fault.Code
}

// runLoad runs calls of all kinds from several workers until stop is closed, and counts the successful ones. acknowledged are the numbers
// of the nodes whose creates succeeded.
func runLoad(s *neo4jstore.Store, workers int, successes *atomic.Int64, stop <-chan struct{}) (calls []call, acknowledged []int64) {
	var mu sync.Mutex
	var group sync.WaitGroup
	var number atomic.Int64
	for worker := range workers {
		group.Go(func() {
			ctx := context.Background()
			last := ""
			for i := worker; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				began := time.Now()
				n := int64(0)
				var err error
				switch {
				case i%3 == 0 || last == "":
					n = number.Add(1)
					var created graph.Created[graph.Node]
					created, err = s.CreateNode(ctx, graph.NewNode{Type: "Hammered", Properties: graph.Properties{"n": n}})
					last = created.Entity.ID
				case i%3 == 1:
					_, err = s.Node(ctx, last)
				default:
					_, err = s.UpdateNode(ctx, last, graph.Change{Properties: graph.Properties{"touched": int64(i)}})
				}
				if err == nil {
					successes.Add(1)
				}
				mu.Lock()
				calls = append(calls, call{began, time.Since(began), fault.CodeOf(err)})
				if n > 0 && err == nil {
					acknowledged = append(acknowledged, n)
				}
				mu.Unlock()
				if err != nil {
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
	group.Wait()
	return calls, acknowledged
}

// requireExactlyOnce checks that every acknowledged node exists and no node exists twice.
func requireExactlyOnce(t *testing.T, db *neo4jtest.DB, acknowledged []int64) {
	t.Helper()
	require.Zero(t, db.Count(t, "MATCH (n:Hammered) WITH n.n AS n, count(*) AS times WHERE times > 1 RETURN count(*)", nil), "created twice")
	require.Zero(t, db.Count(t, "UNWIND $numbers AS n OPTIONAL MATCH (h:Hammered {n: n}) WITH h WHERE h IS NULL RETURN count(*)",
		map[string]any{"numbers": acknowledged}), "acknowledged and lost")
}

func TestAnOutageFailsFastAndRecovers(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	server := neo4jtest.FreshServer(t, neo4jdev.Options{})
	db := neo4jtest.Connect(t, server)
	const timeout = 5 * time.Second
	s := openOn(t, db, func(c *settings) { c.client.QueryTimeout = timeout })
	_, err := s.CreateNode(context.Background(), graph.NewNode{Type: "Hammered", Properties: graph.Properties{"n": int64(0)}})
	require.NoError(t, err)

	stop := make(chan struct{})
	var calls []call
	var acknowledged []int64
	var successes atomic.Int64
	done := make(chan struct{})
	go func() {
		calls, acknowledged = runLoad(s, 16, &successes, stop)
		close(done)
	}()
	awaitSuccesses := func() {
		t.Helper()
		enough := successes.Load() + 100
		require.Eventually(t, func() bool { return successes.Load() > enough }, time.Minute, 20*time.Millisecond)
	}
	awaitSuccesses()
	options := server.Options()
	require.NoError(t, server.Kill())
	down := time.Now()
	time.Sleep(3 * time.Second)
	back := neo4jtest.Connect(t, neo4jtest.FreshServer(t, options))
	back.Count(t, "MATCH (n:Hammered) RETURN count(n)", nil)
	up := time.Now() // the server has answered a query
	awaitSuccesses()
	close(stop)
	<-done

	counts := map[fault.Code]int{}
	outage, slow := 0, 0
	healed := time.Duration(-1)
	for _, c := range calls {
		counts[c.code]++
		require.Less(t, c.took, 3*timeout) // a call ends by its deadline; the excess allows for a busy machine
		switch ended := c.began.Add(c.took); {
		case c.began.After(down) && ended.Before(up) && c.code != "":
			outage++
			if c.took > time.Second {
				slow++
			}
		case c.code == "" && ended.After(up):
			if since := ended.Sub(up); healed < 0 || since < healed {
				healed = since
			}
		}
	}
	t.Logf("answers %v; in the outage %d, over a second %d; first success %s after the start", counts, outage, slow, healed)
	require.Greater(t, outage, 100)
	require.LessOrEqual(t, slow*100, outage, "answers that took over a second")
	require.Less(t, healed, 20*time.Second) // well under two seconds if the machine is not busy
	for code := range counts {
		require.Contains(t, []fault.Code{"", fault.DatabaseUnavailable, fault.DatabaseTimeout}, code)
	}
	requireExactlyOnce(t, back, acknowledged)
}

func TestAConnectionThatDiedWhileIdleFailsNoCall(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	server := neo4jtest.FreshServer(t, neo4jdev.Options{})
	s := openOn(t, neo4jtest.Connect(t, server), nil)
	ctx := context.Background()
	created, err := s.CreateNode(ctx, graph.NewNode{Type: "Idle", Properties: graph.Properties{"n": int64(0)}})
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 30 { // several connections
		group.Go(func() { _, _ = s.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 10}}) })
	}
	group.Wait()
	options := server.Options()
	require.NoError(t, server.Kill())
	neo4jtest.FreshServer(t, options)
	// Wait until the store has recovered from the outage and the server is warm: a first connection to a cold server can take longer than a
	// call waits for the breaker's probe.
	neo4jtest.Connect(t, server)
	require.Eventually(t, func() bool { _, err := s.Node(ctx, created.Entity.ID); return err == nil }, time.Minute, 100*time.Millisecond)
	for i := range 20 {
		_, err := s.CreateNode(ctx, graph.NewNode{Type: "Idle"})
		require.NoError(t, err, "create %d", i)
		_, err = s.UpdateNode(ctx, created.Entity.ID, graph.Change{Properties: graph.Properties{"n": int64(i)}})
		require.NoError(t, err, "update %d", i)
		_, err = s.Node(ctx, created.Entity.ID)
		require.NoError(t, err, "read %d", i)
	}
}

func TestRepeatedLostRepliesLoseAndDuplicateNothing(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	s, cut := openCutter(t, db, nil)
	_, err := s.CreateNode(context.Background(), graph.NewNode{Type: "Hammered", Properties: graph.Properties{"n": int64(0)}})
	require.NoError(t, err)
	cut.every.Store(40)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		select {
		case <-cut.fifty:
		case <-time.After(time.Minute):
		}
	}()
	calls, acknowledged := runLoad(s, 8, new(atomic.Int64), stop)
	cut.every.Store(0)
	failed := 0
	for _, c := range calls {
		if c.code != "" {
			failed++
			require.Equal(t, fault.DatabaseUnavailable, c.code)
		}
	}
	t.Logf("%d calls, %d failed, %d creates acknowledged, %d replies cut", len(calls), failed, len(acknowledged), cut.cuts.Load())
	require.Greater(t, cut.cuts.Load(), int64(20))
	require.Greater(t, len(acknowledged), 100)
	require.Less(t, failed*200, len(calls), "a lost reply is recovered, not returned as an error")
	requireExactlyOnce(t, db, acknowledged)
}

// cutter is a proxy to the database that breaks connections just before every n-th reply or in the middle of it, or just before the reply
// to one commit.
type cutter struct {
	uri     string
	every   atomic.Int64
	replies atomic.Int64
	cuts    atomic.Int64
	fifty   chan struct{}          // closed at the fiftieth cut
	commit  atomic.Pointer[string] // the name of the statement whose commit's reply is dropped; once
	// explicit drops the reply to the next commit of a transaction with several statements; once.
	explicit atomic.Bool
}

func newCutter(t testing.TB, uri string) *cutter {
	t.Helper()
	target, err := url.Parse(uri)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &cutter{uri: fmt.Sprintf("bolt://%s", listener.Addr()), fifty: make(chan struct{})}
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
			var dropReplies atomic.Bool
			go c.forwardRequests(client, server, &dropReplies)
			go c.forwardReplies(client, server, &dropReplies)
		}
	}()
	return c
}

func (c *cutter) countCut() int64 {
	number := c.cuts.Add(1)
	if number == 50 {
		close(c.fifty)
	}
	return number
}

// openCutter opens a store that reaches a database through a cutter.
func openCutter(t testing.TB, db *neo4jtest.DB, change func(*settings)) (*neo4jstore.Store, *cutter) {
	t.Helper()
	cut := newCutter(t, db.URI)
	through := *db
	through.URI = cut.uri
	return openOn(t, &through, change), cut
}

// commitMessage is the message COMMIT as one chunk (Bolt protocol, "Message specification").
var commitMessage = []byte{0, 2, 0xb0, 0x12, 0, 0}

// forwardRequests forwards the client's messages.
func (c *cutter) forwardRequests(client, server net.Conn, dropReplies *atomic.Bool) {
	defer server.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if name := c.commit.Load(); name != nil && bytes.Contains(buffer[:n], []byte("/* "+*name+" */")) && c.commit.CompareAndSwap(name, nil) {
			dropReplies.Store(true)
		}
		if bytes.Contains(buffer[:n], commitMessage) && c.explicit.CompareAndSwap(true, false) {
			dropReplies.Store(true)
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// forwardReplies forwards the server's messages, except the reply that is cut: it arrives at the cutter, so the change that it acknowledges
// was made.
func (c *cutter) forwardReplies(client, server net.Conn, dropReplies *atomic.Bool) {
	defer client.Close()
	defer server.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		if every := c.every.Load(); every > 0 && c.replies.Add(1)%every == 0 {
			if c.countCut()%2 == 0 {
				_, _ = client.Write(buffer[:n/2]) // every other time in the middle of a message
			}
			return
		}
		if dropReplies.Load() {
			if bytes.Contains(buffer[:n], []byte("bookmark")) { // the transaction is committed
				c.countCut()
				return
			}
			continue
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
