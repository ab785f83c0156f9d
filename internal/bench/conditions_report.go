package bench

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// The goals of MeasureConditions.
const (
	wantedEqual       = 5   // times the driver, for equal reads
	wantedPages       = 1.2 // times the driver, for distinct pages
	wantedBeside      = 2   // p99 of reads beside writes against reads alone
	wantedOverload    = 0.9 // throughput of 1,000 clients against 128
	wantedOverloadP99 = 1000
	wantedOverloadMiB = 200
	wantedRefusal     = 100 // milliseconds: at once
	wantedRecovery    = 5   // seconds
)

func (r *ConditionsReport) goals() []Goal {
	var l goalList
	for i, step := range r.Latency {
		if i == 0 {
			continue
		}
		for _, operation := range latencyOperations {
			for _, clients := range latencyClients {
				for _, other := range []Target{Service, Driver} {
					l.atLeast(step.advantage(operation, clients, other), r.Latency[0].advantage(operation, clients, other),
						"%s, %s, %d ms: throughput against the %s, as without latency",
						operation, clientCount(clients), step.Latency.Milliseconds(), other)
				}
			}
		}
	}
	for _, b := range r.Beside {
		if b.Target == Gateway {
			p99 := func(c *Cell) Number { return c.P99 }
			l.atMost(compare(b.Beside, b.Alone, p99), wantedBeside, "x", "%s, %s: p99 beside writes against alone",
				NodeByID, clientCount(manyClients))
		}
	}
	r.Overload.addGoals(&l)
	if r.Equal != nil {
		l.atLeast(r.Equal.advantage(ListAny, manyClients, Driver), wantedPages, "%s, %s: throughput against the driver",
			ListAny, clientCount(manyClients))
		for _, operation := range equalOperations {
			l.atLeast(r.Equal.advantage(operation, manyClients, Driver), wantedEqual, "the same %s, %s: throughput against the driver",
				operation, clientCount(manyClients))
		}
	}
	return l.goals
}

func (o *OverloadResult) addGoals(l *goalList) {
	if o == nil {
		return
	}
	clients := clientCount(overloadClients)
	full := (float64(o.Before.OpsPerSecond) + float64(o.After.OpsPerSecond)) / 2
	l.atLeast(Ratio(float64(o.Overload.OpsPerSecond), full), wantedOverload, "%s, %s: throughput against %s",
		BusyMix, clients, clientCount(fullClients))
	l.atMost(float64(o.Overload.P99), wantedOverloadP99, "ms", "%s, %s: p99", BusyMix, clients)
	l.atMost(float64(o.PeakMiB), wantedOverloadMiB, "MiB", "%s: most resident memory of the gateway", clients)
	l.atMost(float64(o.Failed), 0, "requests", "%s: failures that are not 503", clients)
	if o.Refused > 0 {
		l.atMost(float64(o.RefusedMax), wantedRefusal, "ms", "%s: slowest answer of 503", clients)
		l.atMost(float64(o.Unannounced), 0, "requests", "%s: answers of 503 without Retry-After", clients)
	}
	after := float64(o.RecoveredAfter)
	if math.IsNaN(after) {
		after = recoverySeconds
	}
	l.atMost(after, wantedRecovery, "s", "seconds after %s until the p99 is back", clients)
}

// Markdown returns the report for people.
func (r *ConditionsReport) Markdown() string {
	var b strings.Builder
	b.WriteString("# Benchmark under conditions\n\nWritten by `graphrest-bench conditions` (`make measure-conditions`); do not edit. ")
	fmt.Fprintf(&b, "Commit `%s`, %s, %s minutes.\n\n", r.Commit, r.Date.Format("2006-01-02 15:04 MST"), Short(r.Minutes))
	m := r.Machine
	fmt.Fprintf(&b, "One machine with %d cores (%s) and %s of memory, %s, shared by the clients, the gateway and the database. "+
		"Neo4j %s on Java %s with %d MiB of heap and %d MiB of page cache; Go %s. "+
		"The graph: %d nodes and %d edges of %d types each, and a list of %d nodes.\n\n",
		m.Cores, m.CPU, m.Memory, m.System, m.Neo4j, m.Java, r.Options.HeapMB, r.Options.PageCacheMB, m.Go,
		conditionsSize.Nodes, conditionsSize.Edges, conditionsSize.NodeTypes, conditionsSize.ListNodes)
	fmt.Fprintf(&b, "[The benchmark](latest.md) describes the targets. Each is run in for %s after its start, "+
		"and gateways read everything once, so that their cache of ids helps as in the benchmark. In a cell each warms up "+
		"for %s, then all take turns in %d rounds of %s, in another order every round; the numbers are medians.\n\n",
		r.Options.RunIn, r.Options.WarmUp, r.Options.Rounds, r.Options.Round)
	writeGoals(&b, r.Goals, "")
	r.writeLatencies(&b)
	r.writeBeside(&b)
	r.Overload.write(&b, r.Options.Overload)
	r.writeEqual(&b)
	return b.String()
}

func (r *ConditionsReport) writeLatencies(b *strings.Builder) {
	if len(r.Latency) == 0 {
		return
	}
	b.WriteString("## A database that is not on the same machine\n\nToxiproxy, in the benchmark's process, is before Neo4j for all targets, " +
		"also without latency. The latency is added to each round trip; the longest is measured first. The lists are distinct pages.\n\n")
	for _, clients := range latencyClients {
		fmt.Fprintf(b, "Throughput of the gateway with %s, against service and driver:\n\n| operation |", clientCount(clients))
		for _, step := range r.Latency {
			fmt.Fprintf(b, " %d ms: operations/s | service | driver |", step.Latency.Milliseconds())
		}
		b.WriteString("\n|---|" + strings.Repeat("--:|--:|--:|", len(r.Latency)) + "\n")
		for _, operation := range latencyOperations {
			fmt.Fprintf(b, "| %s |", operation)
			for _, step := range r.Latency {
				rate := Number(0)
				if own := step.cell(operation, clients, Gateway); own != nil {
					rate = own.OpsPerSecond
				}
				fmt.Fprintf(b, " %s | %.2fx | %.2fx |", Short(rate),
					step.advantage(operation, clients, Service), step.advantage(operation, clients, Driver))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
}

func (r *ConditionsReport) writeBeside(b *strings.Builder) {
	if len(r.Beside) == 0 {
		return
	}
	fmt.Fprintf(b, "## Reads beside writes\n\n%d clients read nodes by id, one request after another: alone, and while %d more clients write "+
		"as fast as they are answered (one half updates, the other new nodes and edges). Both take turns.\n\n", manyClients, besideWriters)
	b.WriteString("| target | reads/s alone | p50 ms | p99 ms | reads/s beside | p50 ms | p99 ms | p99 ratio | writes/s |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, row := range r.Beside {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %.2f | %s |\n", row.Target,
			Short(row.Alone.OpsPerSecond), Short(row.Alone.P50), Short(row.Alone.P99),
			Short(row.Beside.OpsPerSecond), Short(row.Beside.P50), Short(row.Beside.P99),
			Ratio(float64(row.Beside.P99), float64(row.Alone.P99)), Short(row.Writes))
	}
	b.WriteString("\n")
}

func (o *OverloadResult) write(b *strings.Builder, overload time.Duration) {
	if o == nil {
		return
	}
	fmt.Fprintf(b, "## Overload\n\nA mix of 85 reads by id, 10 writes and 5 pages of 100, sent by clients that ask one request after "+
		"another, the next one also at once after an answer of 503. %d clients for %s; before and after it %d, "+
		"and %d for the p99 of single seconds.\n\n"+
		"| clients | operations/s | p50 ms | p99 ms | slowest ms |\n|---|--:|--:|--:|--:|\n", overloadClients, overload, fullClients, calmClients)
	for _, row := range []struct {
		name string
		Round
	}{
		{fmt.Sprintf("%d before", fullClients), o.Before},
		{fmt.Sprint(overloadClients), o.Overload},
		{fmt.Sprintf("%d after", fullClients), o.After},
	} {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", row.name, Short(row.OpsPerSecond), Short(row.P50), Short(row.P99), Short(row.Max))
	}
	fmt.Fprintf(b, "\nWith %d clients %d requests were answered and %d refused with 503, %d of those without `Retry-After`", overloadClients,
		o.Overload.Operations, o.Refused, o.Unannounced)
	if o.Refused > 0 {
		fmt.Fprintf(b, " and the slowest after %s ms", Short(o.RefusedMax))
	}
	fmt.Fprintf(b, "; %d failed otherwise. The gateway's resident memory was at most %s MiB.\n\n", o.Failed, Short(o.PeakMiB))
	if o.FirstFailure != "" {
		fmt.Fprintf(b, "The first failure: `%s`\n\n", o.FirstFailure)
	}
	fmt.Fprintf(b, "p99 with %d clients: %s ms before; in the seconds after the overload ", calmClients, Short(o.Calm))
	for i, p99 := range o.Recovery {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Short(p99))
	}
	fmt.Fprintf(b, " ms. It counts as back at %.1f times that before.\n\n", recovered)
	b.WriteString("That a database which stands still for two seconds is waited for is a test " +
		"(`internal/faulttest`, `TestAStalledDatabaseIsWaitedFor`).\n\n")
}

func (r *ConditionsReport) writeEqual(b *strings.Builder) {
	if r.Equal == nil {
		return
	}
	fmt.Fprintf(b, "## Equal reads\n\n%d clients that ask for the same, and distinct pages for comparison. "+
		"The driver's counts and degrees are one statement each, its schema is `db.schema.nodeTypeProperties`, `db.schema.relTypeProperties`, "+
		"`SHOW INDEXES` and `SHOW CONSTRAINTS`. \"Uncoalesced\" is the gateway with `GRAPHREST_COALESCE=off`.\n\n", manyClients)
	b.WriteString("| request | gateway/s | uncoalesced/s | driver/s | gateway against driver | p99 ms: gateway | driver |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	for _, operation := range append([]Operation{ListAny}, equalOperations...) {
		cell := func(target Target) *Cell { return r.Equal.cell(operation, manyClients, target) }
		own, off, driver := cell(Gateway), cell(Uncoalesced), cell(Driver)
		if own == nil || off == nil || driver == nil {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %.2fx | %s | %s |\n", operation,
			Short(own.OpsPerSecond), Short(off.OpsPerSecond), Short(driver.OpsPerSecond),
			r.Equal.advantage(operation, manyClients, Driver), Short(own.P99), Short(driver.P99))
	}
	b.WriteString("\n")
}
