package faulttest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// What `make test-faults` sets.
const (
	roundsVariable = "FAULT_ROUNDS" // tenths of each scenario's rounds; default one round of each
	reportVariable = "FAULT_REPORT" // file that the figures are written to
)

// figures are the results of a scenario.
type figures struct {
	scenario                                   string
	faults, acknowledged, refused, unanswered  int
	worst                                      time.Duration
	slow                                       int
	nodes, lost, doubled, returned, wrongValue int64
	outages                                    outages
	batches                                    batchFigures
}

// TestFaults runs one scenario after another under load, and checks the invariants after each round.
func TestFaults(t *testing.T) {
	testmark.Long(t)
	rounds := 0
	if text := os.Getenv(roundsVariable); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	w := newTestbed(t)
	var numbers atomic.Int64
	w.feed = w.followFeed()
	w.round(scenario{name: "nothing", inject: func(*testbed, *load) int { return 0 }}, &numbers) // warms up
	before := w.currentUsage()
	var all []figures
	for _, k := range scenarios() {
		t.Run(k.name, func(t *testing.T) {
			w.t = t
			total := figures{scenario: k.name}
			for range max(1, k.rounds*rounds/10) {
				total.add(w.round(k, &numbers))
			}
			t.Logf("%s\n%+v", total.row(), total.outages)
			all = append(all, total)
		})
	}
	t.Run("an interrupted import", func(t *testing.T) {
		w.t = t
		interruptImport(t, w)
	})
	w.t = t
	after := w.awaitNoLeak(before)
	report := table(all) + fmt.Sprintf("\nGoroutines of a gateway before and after: %.0f and %.0f; resident memory: %.0f and %.0f MB.\n",
		before.goroutines, after.goroutines, before.memory/1e6, after.memory/1e6)
	report += w.feed.report()
	t.Log("\n" + report)
	if file := os.Getenv(reportVariable); file != "" && !t.Failed() {
		write(t, file, "make test-faults", report)
	}
}

// round runs a scenario once under load, waits for recovery, and counts.
func (w *testbed) round(k scenario, numbers *atomic.Int64) figures {
	t := w.t
	t.Helper()
	l := w.startLoad(numbers, 8)
	awaitGood := func(more int64) {
		t.Helper()
		enough := l.acknowledged.Load() + more
		require.Eventually(t, func() bool { return l.acknowledged.Load() > enough }, waitTimeout, 10*time.Millisecond,
			"requests are no longer acknowledged:\n%s", w.logs())
	}
	awaitGood(50)
	faults := k.inject(w, l)
	w.awaitReady()
	awaitGood(50)
	l.end()
	f := w.count(l)
	f.scenario, f.faults = k.name, faults
	if w.feed != nil {
		w.feed.check(t)
	}
	require.Empty(t, l.violations[:min(len(l.violations), 5)], "invalid answers\n%s", w.logs())
	require.Zero(t, f.lost, "acknowledged and lost")
	require.Zero(t, f.doubled, "created twice")
	require.Zero(t, f.returned, "deleted and present")
	require.Zero(t, f.wrongValue, "has a value that was never the last")
	require.Zero(t, f.batches.partial, "batches of which a part was applied")
	if !k.killsGateways {
		delete(l.unanswered, "reset") // accepted by the kernel only, when the listener closed
		require.Empty(t, l.unanswered, "requests without an answer")
	}
	return f
}

// count compares the answers that clients got with the database, read directly.
func (w *testbed) count(l *load) figures {
	t := w.t
	t.Helper()
	f := figures{
		nodes: int64(len(l.nodes)), acknowledged: int(l.acknowledged.Load()), worst: l.worst, slow: l.slow, outages: l.outage.figures(),
	}
	for status, times := range l.answers {
		if status >= 300 {
			f.refused += times
		}
	}
	for _, times := range l.unanswered {
		f.unanswered += times
	}
	var alive, deleted, values []any
	gone := map[int64]bool{}
	for _, n := range l.nodes {
		switch {
		case n.deleted:
			deleted = append(deleted, n.number)
		case !n.outcomeUnknown:
			alive = append(alive, n.number)
			values = append(values, map[string]any{"n": n.number, "value": n.value})
		case len(n.pendingValues) > 0: // an update of unknown outcome: the node exists, with the old value or the new one
			alive = append(alive, n.number)
		}
		gone[n.number] = n.deleted || n.outcomeUnknown && len(n.pendingValues) == 0
	}
	var edges []any
	for _, e := range l.edges {
		if !gone[e.source] && !gone[e.target] {
			edges = append(edges, map[string]any{"n": e.number, "source": e.source, "target": e.target})
		}
	}
	count := func(cypher string, rows []any) int64 { return w.db.Count(t, cypher, map[string]any{"rows": rows}) }
	f.lost = count("UNWIND $rows AS n OPTIONAL MATCH (h:Faulty {n: n}) WITH n, h WHERE h IS NULL RETURN count(*)", alive) +
		count("UNWIND $rows AS row OPTIONAL MATCH (:Faulty {n: row.source})-[e:FAULTY {n: row.n}]->(:Faulty {n: row.target}) "+
			"WITH e WHERE e IS NULL RETURN count(*)", edges)
	f.returned = count("UNWIND $rows AS n MATCH (:Faulty {n: n}) RETURN count(*)", deleted)
	f.wrongValue = count("UNWIND $rows AS row MATCH (h:Faulty {n: row.n}) WHERE h.value <> row.value RETURN count(*)", values)
	f.doubled = count("MATCH (h:Faulty) WITH h.n AS n, count(*) AS times WHERE times > 1 RETURN count(*)", nil) +
		count("MATCH ()-[e:FAULTY]->() WITH e.n AS n, count(*) AS times WHERE times > 1 RETURN count(*)", nil)
	batches, lost := w.countBatches(l)
	f.batches = batches
	f.lost += lost
	return f
}

func (f *figures) add(more figures) {
	f.faults += more.faults
	f.acknowledged += more.acknowledged
	f.refused += more.refused
	f.unanswered += more.unanswered
	f.slow += more.slow
	f.worst = max(f.worst, more.worst)
	f.nodes += more.nodes
	f.lost += more.lost
	f.doubled += more.doubled
	f.returned += more.returned
	f.wrongValue += more.wrongValue
	f.outages.add(more.outages)
	f.batches.add(more.batches)
}

func (f *figures) row() string {
	harm, seen := baselineEffects.Load(f.scenario)
	if !seen {
		harm = ""
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %.1f s | %d | %d | %d | %s |", f.scenario, f.faults, f.acknowledged, f.refused,
		f.unanswered,
		f.slow, f.worst.Seconds(), f.lost, f.doubled, f.returned+f.wrongValue, harm)
}

func table(all []figures) string {
	var b strings.Builder
	b.WriteString(
		"| fault | times | acknowledged | answered 503 or 504 | no answer | over 1 s | slowest answer | lost | doubled | deleted and back, or " +
			"a wrong value | effect without protection |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	sum := figures{scenario: "all"}
	for _, f := range all {
		b.WriteString(f.row() + "\n")
		sum.add(f)
	}
	b.WriteString(sum.row() + "\n\n")
	for _, f := range all {
		if f.outages.refused > 0 {
			b.WriteString(f.outages.line(f.scenario))
		}
	}
	b.WriteString(sum.batches.line())
	return b.String()
}

// usage is what a gateway uses; the maximum of all.
type usage struct{ goroutines, memory float64 }

func (w *testbed) currentUsage() usage {
	var u usage
	for _, g := range w.gateways {
		u.goroutines = max(u.goroutines, w.gauge(g, "go_goroutines"))
		u.memory = max(u.memory, w.gauge(g, "process_resident_memory_bytes"))
	}
	return u
}

// awaitNoLeak waits until the gateways have no more goroutines than before, except a few for pooled connections.
func (w *testbed) awaitNoLeak(before usage) usage {
	w.t.Helper()
	var now usage
	require.Eventually(w.t, func() bool {
		now = w.currentUsage()
		return now.goroutines <= before.goroutines+4*poolSize
	}, waitTimeout, 200*time.Millisecond, "goroutines leak")
	require.Less(w.t, now.memory, 4*before.memory+100e6, "memory leaks")
	return now
}

// write replaces the figures between the markers of a document.
func write(t *testing.T, file, of, report string) {
	t.Helper()
	place := regexp.MustCompile(`(?s)(<!-- figures of ` + of + ` -->\n).*?(<!-- end -->)`)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Regexp(t, place, string(text))
	written := place.ReplaceAllString(string(text), "${1}\n"+strings.ReplaceAll(report, "$", "$$")+"\n${2}")
	require.NoError(t, os.WriteFile(file, []byte(written), 0o600))
}
