package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/gatewaytest"
)

// What `make measure-queries` prints. These are benchmarks, since tests assert no times.

// countOf is the number that a variable of the environment has.
func countOf(b *testing.B, variable string, otherwise int) int {
	b.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(b, err, variable)
	return n
}

// slowPattern is a question that does not end in the time of a test, on the nodes of connectHubs.
const slowPattern = `"match":[[{"as":"a","type":"Hub"},{},{"type":"Hub"},{},{"type":"Hub"},{},{"type":"Hub"},{},` +
	`{"type":"Hub"},{},{"type":"Hub"}]],"measures":[{"op":"count","as":"n"}]`

func connectHubs(b *testing.B, srv *testServer) {
	b.Helper()
	srv.db.Exec(b, "UNWIND range(1, 60) AS i CREATE (:Hub {i: i}) "+
		"WITH count(*) AS c MATCH (a:Hub), (b:Hub) WHERE a.i < b.i CREATE (a)-[:TO]->(b)", nil)
}

// endedRun is a way in which a run ends before its time.
type endedRun struct {
	name, request, body string
	text                string        // that its statement has
	saved               string        // the definition of the query that it runs
	deadline            time.Duration // 0: the client leaves
}

func endedRuns() []endedRun {
	const deadline = 300 * time.Millisecond
	saved := func(timeout string) string { return `{"name":"slow",` + timeout + endless(0)[1:] }
	pattern := `{` + slowPattern + `}`
	return []endedRun{
		{name: "saved query, the client leaves", text: "mark_0", request: "GET /api/queries/slow/run", saved: saved("")},
		{
			name: "saved query, deadline", text: "mark_0", request: "GET /api/queries/slow/run", deadline: deadline,
			saved: saved(`"timeout":"300ms",`),
		},
		{name: "console, the client leaves", text: "mark_0", request: "POST /api/query", body: endless(0)},
		{name: "match, the client leaves", text: "Hub", request: "POST /api/match", body: pattern},
		{
			name: "saved pattern, deadline", text: "Hub", request: "GET /api/queries/slow/run", deadline: deadline,
			saved: `{"name":"slow","timeout":"300ms","pattern":` + pattern + `}`,
		},
	}
}

// BenchmarkCancellations ends runs before their time, CANCELLATIONS in all, and fails if one is in the database a second later.
func BenchmarkCancellations(b *testing.B) {
	srv := newTestServer(b, nil)
	srv.userByPermissions(b, "ann", auth.Read, auth.Query, auth.Console)
	connectHubs(b, srv)
	ways := endedRuns()
	each := max(countOf(b, "CANCELLATIONS", 500)/len(ways), 1)
	for _, way := range ways {
		var taken []time.Duration
		for range each {
			taken = append(taken, srv.endRun(b, way))
		}
		slices.Sort(taken)
		after := func(percent int) time.Duration { return taken[(len(taken)-1)*percent/100].Round(time.Millisecond) }
		fmt.Printf("%-32s %4d runs, gone after: median %8v  p99 %8v  longest %8v\n", way.name, len(taken), after(50), after(99), after(100))
		require.Less(b, taken[len(taken)-1], time.Second, way.name)
	}
}

// endRun begins a run and ends it once the database has it. It returns how long after the end, or the deadline, the database has it still.
func (srv *testServer) endRun(b *testing.B, way endedRun) time.Duration {
	b.Helper()
	if way.saved != "" {
		r := srv.send(b, "root", "POST", savedQueries, way.saved)
		require.Equal(b, http.StatusCreated, r.status, r.body)
		defer func() {
			require.Equal(b, http.StatusOK, srv.send(b, "root", "DELETE", savedQueries+"/slow", "").status)
		}()
	}
	ctx, leave := context.WithCancel(b.Context())
	defer leave()
	method, target, _ := strings.Cut(way.request, " ")
	client := gatewaytest.Client{URL: srv.url, Token: srv.token(b, "ann")}
	answered := make(chan int, 1)
	ended := time.Now().Add(way.deadline)
	go func() {
		answer, _ := client.Send(ctx, method, target, way.body)
		answered <- answer.Status
	}()
	if way.deadline == 0 {
		for srv.running(b, way.text) == 0 {
			require.Less(b, time.Since(ended), time.Minute, way.name)
		}
		ended = time.Now()
		leave()
	} else {
		require.Equal(b, http.StatusGatewayTimeout, <-answered, way.name)
	}
	for srv.running(b, way.text) > 0 {
		require.Less(b, time.Since(ended), time.Minute, way.name)
	}
	return time.Since(ended)
}

// BenchmarkBesideHeavyQueries prints how long reads of a node take a user alone, and while another user runs heavy queries, by turns.
func BenchmarkBesideHeavyQueries(b *testing.B) {
	srv := newTestServer(b, nil)
	srv.userByPermissions(b, "ann", auth.Read, auth.Create)
	srv.userByPermissions(b, "heavy", auth.Read, auth.Console)
	connectHubs(b, srv)
	made := srv.send(b, "ann", "POST", "/api/nodes", `{"type":"Person","properties":{"name":"Ann"}}`)
	require.Equal(b, http.StatusCreated, made.status)
	target := "/api/nodes/" + jsonAt(b, made.body, "data.id").(string)
	const turns = 6
	each := countOf(b, "READS", 3000) / turns
	for _, heavy := range []heavyLoad{
		{"console", "/api/query", endless(0), "mark_0", 1},
		{"console", "/api/query", endless(0), "mark_0", 4}, // of which as many run as one user may have at a time
		{"match", "/api/match", `{` + slowPattern + `}`, "Hub", 1},
		{"match", "/api/match", `{` + slowPattern + `}`, "Hub", 4},
	} {
		var alone, beside []time.Duration
		for range turns {
			alone = append(alone, srv.readTimes(b, target, each)...)
			end := srv.load(b, heavy)
			beside = append(beside, srv.readTimes(b, target, each)...)
			end()
		}
		slices.Sort(alone)
		slices.Sort(beside)
		for _, share := range []int{50, 99} {
			a, w := alone[len(alone)*share/100], beside[len(beside)*share/100]
			fmt.Printf("reads beside %d of %-8s p%d alone %9v  beside %9v  ratio %.2f\n", heavy.count, heavy.name, share,
				a.Round(time.Microsecond), w.Round(time.Microsecond), float64(w)/float64(a))
		}
	}
}

// heavyLoad is what one user sends, count at a time. text is what the statements have.
type heavyLoad struct {
	name, path, body, text string
	count                  int
}

// load runs heavy queries until end is called.
func (srv *testServer) load(b *testing.B, heavy heavyLoad) (end func()) {
	b.Helper()
	ctx, leave := context.WithCancel(b.Context())
	var running sync.WaitGroup
	for range heavy.count {
		running.Go(func() {
			for ctx.Err() == nil {
				_, _ = gatewaytest.Client{URL: srv.url, Token: srv.token(b, "heavy")}.Send(ctx, "POST", heavy.path, heavy.body)
			}
		})
	}
	require.Eventually(b, func() bool { return srv.running(b, heavy.text) > 0 }, 30*time.Second, 50*time.Millisecond)
	return func() {
		leave()
		running.Wait()
		srv.awaitRunning(b, heavy.text, 0)
	}
}

func (srv *testServer) readTimes(b *testing.B, target string, n int) []time.Duration {
	b.Helper()
	taken := make([]time.Duration, 0, n)
	for i := range n + 20 {
		began := time.Now()
		r := srv.send(b, "ann", "GET", target, "")
		if i >= 20 { // the first ones fill caches
			taken = append(taken, time.Since(began))
		}
		require.Equal(b, http.StatusOK, r.status, r.body)
	}
	return taken
}
