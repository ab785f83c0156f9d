package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

const (
	stallDuration = 2500 * time.Millisecond
	stallClients  = 32
)

// TestAStalledDatabaseIsWaitedFor stops Neo4j for a while, first when the gateways have to open connections, then under load: it is only
// slow, so every request is answered within its deadline, none with DATABASE_UNAVAILABLE. A closed port is reported at once.
func TestAStalledDatabaseIsWaitedFor(t *testing.T) {
	testmark.Long(t)
	w := newTestbed(t, "GRAPHREST_QUERY_TIMEOUT=15s", "GRAPHREST_POOL_SIZE=50")
	ids := make([]string, stallClients)
	for i := range ids {
		ids[i] = w.createNode()
	}
	seen := &answers{counts: map[int]int{}}
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for round := range 2 {
		require.NoError(t, syscall.Kill(w.server.Pid(), syscall.SIGSTOP))
		if round == 0 {
			for i, id := range ids {
				clients.Go(func() { w.sendUntil(stop, seen, uint64(i), id) })
			}
		}
		time.Sleep(stallDuration)
		require.NoError(t, syscall.Kill(w.server.Pid(), syscall.SIGCONT))
		seen.await(t, 5*stallClients)
	}
	close(stop)
	clients.Wait()
	t.Logf("answers by status: %v; the longest took %s", seen.counts, seen.longest)
	require.Empty(t, seen.failures, "%s", w.logs())
	require.Greater(t, seen.longest, stallDuration*3/4, "requests met the stall")

	w.proxy.Stop()
	require.Eventually(t, func() bool {
		began := time.Now()
		status, _, err := w.request(w.gateways[0], http.MethodGet, "/api/nodes/"+ids[0], "")
		return err == nil && status == http.StatusServiceUnavailable && time.Since(began) < time.Second
	}, waitTimeout, 10*time.Millisecond, "a closed port is not reported fast")
}

// answers are the answers of all clients.
type answers struct {
	mu       sync.Mutex
	counts   map[int]int
	longest  time.Duration
	failures []string
}

func (a *answers) add(status int, took time.Duration, failure string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[status]++
	a.longest = max(a.longest, took)
	if failure != "" {
		a.failures = append(a.failures, failure)
	}
}

// await waits until there are that many more answers.
func (a *answers) await(t *testing.T, more int) {
	t.Helper()
	total := func() (sum int) {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, count := range a.counts {
			sum += count
		}
		return sum
	}
	enough := total() + more
	require.Eventually(t, func() bool { return total() >= enough }, waitTimeout, 10*time.Millisecond)
}

// sendUntil sends reads, lists and writes until stop is closed.
func (w *testbed) sendUntil(stop <-chan struct{}, seen *answers, seed uint64, id string) {
	random := rand.New(rand.NewPCG(seed, 1))
	for kind := 0; ; kind = random.IntN(5) { // first a list: each needs a connection
		select {
		case <-stop:
			return
		default:
		}
		method, path, body := http.MethodGet, "/api/nodes/"+id, ""
		switch kind {
		case 0:
			path = "/api/nodes?limit=5&type=" + nodeLabel
		case 1:
			path = "/api/schema"
		case 2:
			method, path, body = http.MethodPost, "/api/nodes", `{"type":"`+nodeLabel+`","properties":{"n":1}}`
		case 3:
			method, body = http.MethodPatch, fmt.Sprintf(`{"properties":{"n":%d}}`, random.IntN(1000))
		}
		began := time.Now()
		status, answer, err := w.request(w.gateways[random.IntN(replicas)], method, path, body)
		failure := ""
		if err != nil || status >= http.StatusBadRequest {
			failure = fmt.Sprintf("%s %s after %s: %d %s %v", method, path, time.Since(began), status, answer, err)
		}
		seen.add(status, time.Since(began), failure)
	}
}

func (w *testbed) createNode() (id string) {
	w.t.Helper()
	status, answer, err := w.request(w.gateways[0], http.MethodPost, "/api/nodes", `{"type":"`+nodeLabel+`","properties":{"n":1}}`)
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusCreated, status, answer)
	var node struct {
		Data struct{ ID string }
		ID   string
	}
	require.NoError(w.t, json.Unmarshal([]byte(answer), &node))
	return node.Data.ID + node.ID
}

// request sends a request to a gateway and reads the answer.
func (w *testbed) request(g *gateway, method, path, body string) (status int, answer string, err error) {
	got, err := w.clientOf(g).Send(context.Background(), method, path, body)
	return got.Status, got.Body, err
}
