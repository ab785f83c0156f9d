package faulttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"graphrest/internal/gatewaytest"
)

// node is a client's state of a node; only that client writes to the node.
type node struct {
	number         int64
	id             string
	value          int64   // the last one acknowledged
	pendingValues  []int64 // of later updates that were not acknowledged
	deleted        bool    // acknowledged
	outcomeUnknown bool    // an update or delete was attempted, but not acknowledged
}

// edge is an acknowledged edge.
type edge struct{ number, source, target int64 }

// load is a set of running clients and their observations.
type load struct {
	w            *testbed
	numbers      *atomic.Int64
	stop         chan struct{}
	running      sync.WaitGroup
	acknowledged atomic.Int64

	mu         sync.Mutex
	nodes      []*node
	edges      []edge
	batches    []batch
	unsure     []int64 // numbers of creates that were neither acknowledged nor retried
	answers    map[int]int
	unanswered map[string]int // requests without an answer, by cause
	worst      time.Duration
	slow       int // answers over a second
	outage     *outage
	violations []string
}

func (w *testbed) startLoad(numbers *atomic.Int64, clients int) *load {
	l := &load{w: w, numbers: numbers, stop: make(chan struct{}), answers: map[int]int{}, unanswered: map[string]int{}}
	for i := range clients {
		l.running.Go(func() { l.work(rand.New(rand.NewPCG(uint64(i), uint64(numbers.Load())))) })
	}
	return l
}

// end stops the clients and waits for them.
func (l *load) end() {
	close(l.stop)
	l.running.Wait()
}

func (l *load) stopped() bool {
	select {
	case <-l.stop:
		return true
	default:
		return false
	}
}

func (l *load) addViolation(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.violations = append(l.violations, fmt.Sprintf(format, args...))
}

// work runs one client.
func (l *load) work(random *rand.Rand) {
	var own []*node
	for !l.stopped() {
		var alive []*node
		for _, n := range own {
			if !n.deleted && !n.outcomeUnknown {
				alive = append(alive, n)
			}
		}
		pick := func() *node { return alive[random.IntN(len(alive))] }
		if random.IntN(10) == 0 {
			l.sendBatch(random)
			continue
		}
		switch dice := random.IntN(10); {
		case len(alive) < 2 || dice < 4:
			if n := l.create(random); n != nil {
				own = append(own, n)
			}
		case dice < 6:
			l.update(random, pick())
		case dice < 7:
			l.remove(random, pick())
		case dice < 8:
			l.connect(random, pick(), pick())
		default:
			l.read(random, pick())
		}
	}
}

// create creates a node: with an Idempotency-Key, retried until it is acknowledged, or without one, once.
func (l *load) create(random *rand.Rand) *node {
	n := &node{number: l.numbers.Add(1)}
	n.value = n.number
	body := fmt.Sprintf(`{"type":%q,"properties":{"n":%d,"value":%d}}`, nodeLabel, n.number, n.value)
	key := ""
	if random.IntN(2) == 0 {
		key = fmt.Sprintf("node-%d", n.number)
	}
	for {
		status, answer := l.send(random, http.MethodPost, "/api/nodes", body, key)
		if status == http.StatusCreated {
			n.id, _ = answer.entity()
			l.mu.Lock()
			l.nodes = append(l.nodes, n)
			l.mu.Unlock()
			return n
		}
		if key == "" || l.stopped() {
			l.mu.Lock()
			l.unsure = append(l.unsure, n.number)
			l.mu.Unlock()
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (l *load) update(random *rand.Rand, n *node) {
	next := l.numbers.Add(1)
	status, _ := l.send(random, http.MethodPut, "/api/nodes/"+n.id, fmt.Sprintf(`{"properties":{"value":%d}}`, next), "")
	l.mu.Lock()
	defer l.mu.Unlock()
	if status == http.StatusOK {
		n.value, n.pendingValues = next, nil
		return
	}
	n.pendingValues = append(n.pendingValues, next)
	// A write of unknown outcome may still be running in Neo4j, and overtake a later one.
	n.outcomeUnknown = true
}

func (l *load) remove(random *rand.Rand, n *node) {
	status, _ := l.send(random, http.MethodDelete, "/api/nodes/"+n.id, "", "")
	l.mu.Lock()
	defer l.mu.Unlock()
	n.deleted, n.outcomeUnknown = status == http.StatusOK, status != http.StatusOK
}

func (l *load) connect(random *rand.Rand, source, target *node) {
	e := edge{l.numbers.Add(1), source.number, target.number}
	body := fmt.Sprintf(`{"type":"FAULTY","source_id":%q,"target_id":%q,"properties":{"n":%d}}`, source.id, target.id, e.number)
	status, _ := l.send(random, http.MethodPost, "/api/edges", body, fmt.Sprintf("edge-%d", e.number))
	if status == http.StatusCreated {
		l.mu.Lock()
		l.edges = append(l.edges, e)
		l.mu.Unlock()
	}
}

// read checks the acknowledged value on a random replica.
func (l *load) read(random *rand.Rand, n *node) {
	status, answer := l.send(random, http.MethodGet, "/api/nodes/"+n.id, "", "")
	if _, value := answer.entity(); status == http.StatusOK && value != n.value && !slices.Contains(n.pendingValues, value) {
		l.addViolation("node %d has %d, but %d was acknowledged", n.number, value, n.value)
	}
}

// answer is the envelope.
type answer struct {
	Data  json.RawMessage `json:"data"`
	Error struct {
		Code string `json:"code"`
	} `json:"error"`
}

// entity decodes the node that most answers contain.
func (a answer) entity() (id string, value int64) {
	var e struct {
		ID         string `json:"id"`
		Properties struct {
			Value int64 `json:"value"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(a.Data, &e) // the caller checks the values
	return e.ID, e.Properties.Value
}

// send sends one request to a replica, or to the other if the first refuses connections, and checks the answer: it must be a success or
// report that the database is unavailable, in the envelope and in time. The status is 0 if there was no answer.
func (l *load) send(random *rand.Rand, method, path, body, key string) (int, answer) {
	first := random.IntN(replicas)
	began := time.Now()
	var got gatewaytest.Answer
	var err error
	var headers []string
	if key != "" {
		headers = []string{"Idempotency-Key", key}
	}
	for try := range 2 * replicas {
		began = time.Now()
		got, err = l.w.clientOf(l.w.gateways[(first+try)%replicas]).Send(context.Background(), method, path, body, headers...)
		if !errors.Is(err, syscall.ECONNREFUSED) {
			break
		}
	}
	took := time.Since(began)
	var a answer
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.unanswered[cause(err)]++
		return 0, a
	}
	status := got.Status
	l.answers[status]++
	l.worst = max(l.worst, took)
	if took > time.Second {
		l.slow++
	}
	if took > maxAnswerTime {
		l.violations = append(l.violations, fmt.Sprintf("%s %s took %s", method, path, took))
	}
	fine := json.Unmarshal([]byte(got.Body), &a) == nil
	l.outage.seen(began, took, status < 300 && fine)
	switch {
	case status < 300 && fine:
		l.acknowledged.Add(1)
	case fine && (status == http.StatusServiceUnavailable && a.Error.Code == "DATABASE_UNAVAILABLE" ||
		status == http.StatusGatewayTimeout && a.Error.Code == "DATABASE_TIMEOUT"):
	default:
		l.violations = append(l.violations, fmt.Sprintf("%s %s: %d %s", method, path, status, got.Body))
	}
	return status, a
}

// cause classifies why there was no answer.
func cause(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "closed"
	default:
		return err.Error()
	}
}
