package bench

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// The driver's program answers what only MeasureConditions asks, and distinct pages are the ones that were asked for.
func TestDriverAnswersConditions(t *testing.T) {
	testmark.Long(t)
	db, _, d := loadSmall(t)
	s := setup{
		Target: Driver, Neo4j: Neo4j{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database},
		Data: filepath.Join(t.TempDir(), "ids"),
	}
	require.NoError(t, d.save(s.Data))
	ask := serveLoad(t)
	require.Empty(t, ask(s).Failure)
	for _, operation := range append([]Operation{ListAny, Writes, BusyMix}, equalOperations...) {
		result := ask(turn{Operation: operation, Clients: 3, Duration: 200 * time.Millisecond})
		require.Empty(t, result.Failure, operation)
		require.Zero(t, result.Errors, "%s: %s", operation, result.FirstError)
		require.Positive(t, result.Operations, operation)
	}
}

// An answer of 503 is counted as such, and whether it says when to try again.
func TestRefusalsAreCounted(t *testing.T) {
	d, err := newDataset(smallSize)
	require.NoError(t, err)
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch requests.Add(1) {
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = fmt.Fprint(w, "{}")
	}))
	defer server.Close()
	s := setup{Target: Gateway, Address: server.Listener.Addr().String(), Tokens: []string{"t"}, Data: filepath.Join(t.TempDir(), "ids")}
	require.NoError(t, d.save(s.Data))
	ask := serveLoad(t)
	require.Empty(t, ask(s).Failure)
	result := ask(turn{Operation: NodeByID, Clients: 1, Duration: time.Minute, Entities: make([]entity, 5)})
	require.Equal(t, 5, result.Errors)
	require.Equal(t, 4, result.Refused)
	require.Equal(t, 1, result.Unannounced)
	require.Positive(t, result.RefusedMax)
	require.Contains(t, result.FirstError, "status 500")
}

// A latency is added to each round trip, on connections that are open as well, and taken away.
func TestLatencyProxy(t *testing.T) {
	db, own, _ := loadSmall(t)
	p, err := startLatencyProxy(db.URI)
	require.NoError(t, err)
	defer p.stop()
	far, err := openDatabase(t.Context(), Neo4j{URI: p.uri(), Username: db.Username, Password: db.Password, Database: own.name})
	require.NoError(t, err)
	defer func() { require.NoError(t, far.driver.Close(t.Context())) }()
	for _, latency := range []time.Duration{0, 30 * time.Millisecond, 10 * time.Millisecond, 0} {
		require.NoError(t, p.setLatency(t.Context(), latency))
		began := time.Now()
		count, err := far.count(t.Context(), "RETURN 1")
		require.NoError(t, err)
		require.EqualValues(t, 1, count)
		require.GreaterOrEqual(t, time.Since(began), latency)
	}
}

func TestConditionsGoals(t *testing.T) {
	cell := func(operation Operation, clients int, target Target, rate float64) *Cell {
		return &Cell{Operation: operation, Clients: clients, Target: target, OpsPerSecond: Number(rate)}
	}
	near := &LatencyStep{}
	near.Cells = []*Cell{cell(NodeByID, 1, Gateway, 30), cell(NodeByID, 1, Service, 10), cell(NodeByID, 1, Driver, 20)}
	far := &LatencyStep{Latency: 5 * time.Millisecond}
	far.Cells = []*Cell{cell(NodeByID, 1, Gateway, 12), cell(NodeByID, 1, Service, 4), cell(NodeByID, 1, Driver, 9)}
	reads := func(p99 float64) *Cell { return &Cell{P99: Number(p99)} }
	r := &ConditionsReport{
		Latency: []*LatencyStep{near, far},
		Beside:  []*BesideWrites{{Target: Gateway, Alone: reads(2), Beside: reads(5)}, {Target: Driver, Alone: reads(1), Beside: reads(9)}},
		Overload: &OverloadResult{
			Before: Round{OpsPerSecond: 110}, After: Round{OpsPerSecond: 90}, Overload: Round{OpsPerSecond: 91, P99: 1001},
			PeakMiB: 150, RecoveredAfter: Number(math.NaN()), Refused: 3, Unannounced: 1, RefusedMax: 5,
		},
		Equal: &Report{Cells: []*Cell{cell(Degree, 32, Gateway, 60), cell(Degree, 32, Driver, 10)}},
	}
	r.Goals = r.goals()
	reached := map[string]bool{}
	for _, g := range r.Goals {
		reached[g.Goal] = g.Reached
	}
	require.Equal(t, map[string]bool{
		"node by id, 1 client, 5 ms: throughput against the service, as without latency": true,
		"node by id, 1 client, 5 ms: throughput against the driver, as without latency":  false,
		"node by id, 32 clients: p99 beside writes against alone":                        false,
		"mix 85/10/5, 1000 clients: throughput against 128 clients":                      true,
		"mix 85/10/5, 1000 clients: p99":                                                 false,
		"1000 clients: most resident memory of the gateway":                              true,
		"1000 clients: failures that are not 503":                                        true,
		"1000 clients: slowest answer of 503":                                            true,
		"1000 clients: answers of 503 without Retry-After":                               false,
		"seconds after 1000 clients until the p99 is back":                               false,
		"the same degree of a node, 32 clients: throughput against the driver":           true,
	}, reached)
	text := r.Markdown()
	require.Contains(t, text, "6 of 11 reached")
	require.Contains(t, text, "| node by id | 30 | 3.00x | 1.50x | 12 | 3.00x | 1.33x |")
}
