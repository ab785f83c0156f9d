package faulttest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
)

// outage records what clients observe while Neo4j is unavailable.
type outage struct {
	began    time.Time
	answered time.Time // when Neo4j answered a bare driver again
	read     time.Time // when a read of one node was answered again
	healed   time.Time // when a request that began during the outage succeeded
	refused  int       // error answers until then
	slow     int       // those of them that took over a second
	health   health
}

// health is how /healthz behaved meanwhile.
type health struct {
	asked, slow int // slow took over 50 ms
	worst       time.Duration
}

// watchOutage starts to observe an outage; the returned function waits until requests succeed again and stops.
func (w *testbed) watchOutage(l *load) (end func()) {
	w.t.Helper()
	stop := make(chan struct{})
	var watch sync.WaitGroup
	var health health
	watch.Go(func() { health = w.watchHealth(stop) })
	l.mu.Lock()
	l.outage = &outage{began: time.Now()}
	l.mu.Unlock()
	return func() {
		w.t.Helper()
		require.Eventually(w.t, func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return !l.outage.healed.IsZero()
		}, waitTimeout, 10*time.Millisecond, "no request succeeds")
		close(stop)
		watch.Wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.outage.health = health
	}
}

// watchHealth polls the gateways' /healthz until stop is closed.
func (w *testbed) watchHealth(stop <-chan struct{}) (seen health) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return seen
		case <-tick.C:
		}
		began := time.Now()
		response, err := w.client.Get("http://" + w.gateways[seen.asked%replicas].address + "/healthz")
		if err != nil || response.StatusCode != http.StatusOK {
			w.t.Errorf("/healthz while Neo4j is unavailable: %v", err)
			return seen
		}
		_ = response.Body.Close()
		took := time.Since(began)
		seen.asked++
		if took > 50*time.Millisecond {
			seen.slow++
		}
		seen.worst = max(seen.worst, took)
	}
}

// seen records an answer. The caller holds the lock of the load.
func (o *outage) seen(began time.Time, took time.Duration, good bool) {
	switch {
	case o == nil || !o.healed.IsZero():
	case good && began.After(o.began):
		o.healed = began.Add(took)
	case !good:
		o.refused++
		if took > time.Second {
			o.slow++
		}
	}
}

// restart starts a killed Neo4j on the same files, and records when it answers a bare driver and when a gateway answers a read.
func (w *testbed) restart(l *load) {
	w.t.Helper()
	var reads sync.WaitGroup
	reads.Go(func() { w.firstRead(l) })
	w.startAgain()
	l.mu.Lock()
	l.outage.answered = time.Now()
	l.mu.Unlock()
	reads.Wait()
}

// startAgain starts a killed Neo4j on the same files and waits until it answers a bare driver.
func (w *testbed) startAgain() {
	w.t.Helper()
	w.server = neo4jtest.FreshServer(w.parent, w.server.Options())
	w.db = neo4jtest.Connect(w.parent, w.server)
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	_, err := neo4j.ExecuteQuery(ctx, w.db.Driver, "RETURN 1", nil, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(w.db.Database))
	require.NoError(w.t, err)
}

// firstRead requests one node until the answer is not an error of the database.
func (w *testbed) firstRead(l *load) {
	l.mu.Lock()
	id := l.nodes[len(l.nodes)-1].id
	l.mu.Unlock()
	random := rand.New(rand.NewPCG(1, 2))
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		status, err := w.get(w.gateways[random.IntN(replicas)], "/api/nodes/"+id)
		if err == nil && (status == http.StatusOK || status == http.StatusNotFound) { // its own client may have deleted it
			l.mu.Lock()
			l.outage.read = time.Now()
			l.mu.Unlock()
			return
		}
	}
	w.t.Error("reads are no longer answered")
}

// get sends a GET to a gateway and returns the status of the answer.
func (w *testbed) get(g *gateway, path string) (int, error) {
	status, _, err := w.request(g, http.MethodGet, path, "")
	return status, err
}

// outages sums up all outages of a scenario; durations are the longest.
type outages struct {
	refused, slow int
	read, healed  time.Duration
	health        health
}

func (o *outages) add(more outages) {
	o.refused += more.refused
	o.slow += more.slow
	o.read = max(o.read, more.read)
	o.healed = max(o.healed, more.healed)
	o.health.asked += more.health.asked
	o.health.slow += more.health.slow
	o.health.worst = max(o.health.worst, more.health.worst)
}

func (o *outage) figures() outages {
	if o == nil {
		return outages{}
	}
	return outages{o.refused, o.slow, max(0, o.read.Sub(o.answered)), max(0, o.healed.Sub(o.answered)), o.health}
}

// line formats the sums for the report.
func (o *outages) line(kind string) string {
	percent := func(part, of int) float64 { return 100 * float64(part) / float64(max(1, of)) }
	return fmt.Sprintf("- %s: of %d refusals until the first success, %d took over a second (%.1f %%). After Neo4j answered a bare driver, "+
		"a read was answered\n"+
		"  within %.1f s and a request of the clients' within %.1f s. `/healthz` took over 50 ms %d times in %d (%.1f %%), and at most %d ms.\n",
		kind, o.refused, o.slow, percent(o.slow, o.refused), o.read.Seconds(), o.healed.Seconds(),
		o.health.slow, o.health.asked, percent(o.health.slow, o.health.asked), o.health.worst.Milliseconds())
}
