package bench

import (
	"fmt"
	"math"
	"strings"
)

// Markdown returns the report for people. Plot, if not empty, is the file name of the diagram beside it.
func (r *Report) Markdown(diagram string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Benchmark\n\nWritten by `graphrest-bench`; do not edit. Commit `%s`, %s, %s minutes.\n\n", r.Commit,
		r.Date.Format("2006-01-02 15:04 MST"), Short(r.Minutes))
	if diagram != "" {
		fmt.Fprintf(&b, "![Throughput of the gateway, the driver and the Query API](%s)\n\n", diagram)
	}
	r.writeSetting(&b)
	writeGoals(&b, r.Goals, fmt.Sprintf(" Comparisons of 99th percentiles allow %.0f %% for noise.", 100*(noise-1)))
	r.writeRoom(&b)
	r.writeRatios(&b)
	r.writeCells(&b)
	r.writeScaling(&b)
	r.writeImports(&b)
	return b.String()
}

func (r *Report) writeSetting(b *strings.Builder) {
	m := r.Machine
	fmt.Fprintf(b, "## What was measured\n\n")
	cpu := m.CPU
	if cpu != "" {
		cpu = " (" + cpu + ")"
	}
	fmt.Fprintf(b, "One machine with %d cores%s and %s of memory, %s, shared by the clients, the gateway and the database. Neo4j %s on "+
		"Java %s", m.Cores, cpu, m.Memory, m.System, m.Neo4j, m.Java)
	if r.HeapMB > 0 {
		fmt.Fprintf(b, " with %d MiB of heap and %d MiB of page cache", r.HeapMB, r.PageCacheMB)
	}
	fmt.Fprintf(b, "; gateway and clients built with Go %s.", m.Go)
	if !math.IsNaN(float64(r.OtherCPU)) {
		fmt.Fprintf(b, " Other programs used %s of the machine meanwhile (median of all rounds).", formatShare(r.OtherCPU))
	}
	fmt.Fprintf(b, "\n\nThe graph: %d nodes of %d types, %d edges of %d types, and %d nodes of one more type for the lists, whose deep page "+
		"lies at depth %d. The clients work on %d nodes and as many edges, spread over all types.\n\n",
		r.Size.Nodes, r.Size.NodeTypes, r.Size.Edges, r.Size.EdgeTypes, r.Size.ListNodes, r.Size.ListDepth, r.Size.WorkingSet)
	fmt.Fprintf(b, `- **gateway**: HTTP with keep-alive, a bearer token checked and a rate limit counted on every request, JSON both ways.
- **service**: what a team would write by hand instead: gin, a bearer token checked and a rate limit counted in memory on every request,
  one `+"`neo4j.ExecuteQuery`"+` for each with the Cypher of its type, the same JSON. No audit, no history, no validation.
- **Query API**: Neo4j's own HTTP interface (v2) with basic authentication and keep-alive, the equivalent Cypher.
- **driver**: the Go driver's `+"`neo4j.ExecuteQuery`"+`, one call for each operation, the database named, reads routed as `+
		`reads; the same Cypher.
- **gateway uncoalesced**: the gateway with `+"`GRAPHREST_COALESCE=off`"+`.
- **gateway, no history**: the gateway with `+"`GRAPHREST_HISTORY=off`"+`; the audit is on in all of them.
- **limit**: a server of net/http that answers the bytes of the gateway's answers and does nothing else: what HTTP itself costs.

Each is driven by a separate process whose clients ask one request after another, read every answer to its end and check it. In
each cell all of them warm up for %s s and then take turns, %d rounds of %s s each, in another order every round; the numbers are
medians over the rounds, times are per request; the spread is that of the operations per second, from the slowest to the fastest
round, as a part of the median. The rows "first read" come before all others: each node or edge of the working set
read once, after a run-in with the mix, so that the gateway's cache of ids helps none of them.

`, Short(r.WarmUp), r.RoundCount, Short(r.RoundSeconds))
}

// writeGoals writes a table of goals; the remark follows their number.
func writeGoals(b *strings.Builder, goals []Goal, remark string) {
	if len(goals) == 0 {
		return
	}
	missed := 0
	for _, g := range goals {
		if !g.Reached {
			missed++
		}
	}
	fmt.Fprintf(b, "## Goals\n\n%d of %d reached.%s\n\n| goal | wanted | measured | |\n|---|--:|--:|---|\n",
		len(goals)-missed, len(goals), remark)
	for _, g := range goals {
		sign, verdict := "≥", "reached"
		if g.AtMost {
			sign = "≤"
		}
		if !g.Reached {
			verdict = "**missed**"
		}
		fmt.Fprintf(b, "| %s | %s %s %s | %s %s | %s |\n", g.Goal, sign, Short(g.Wanted), g.Unit, Short(g.Measured), g.Unit, verdict)
	}
	b.WriteString("\n")
}

func (r *Report) writeRatios(b *strings.Builder) {
	fmt.Fprintf(b, "## Ratios\n\nThroughput of the gateway against a service, the driver and the Query API.\n\n| operation |")
	for _, clients := range r.clients() {
		fmt.Fprintf(b, " %d: service | driver | Query API |", clients)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|--:|--:|", len(r.clients())) + "\n")
	for _, operation := range r.operations() {
		fmt.Fprintf(b, "| %s |", operation)
		for _, clients := range r.clients() {
			for _, target := range []Target{Service, Driver, QueryAPI} {
				fmt.Fprintf(b, " %s |", formatRatio(r.advantage(operation, clients, target)))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

func (r *Report) writeCells(b *strings.Builder) {
	for _, clients := range r.clients() {
		fmt.Fprintf(b, "## %s\n\n| operation | target | operations/s | spread | p50 ms | p99 ms | CPU ms per operation: server | "+
			"Neo4j | all processes "+
			"| server MiB | errors |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", clientCount(clients))
		for _, operation := range r.operations() {
			for _, target := range r.targets() {
				c := r.cell(operation, clients, target)
				if c == nil {
					continue
				}
				fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %d |\n", operation, target,
					Short(c.OpsPerSecond), c.spread(), Short(c.P50), Short(c.P99), Short(c.ServerCPU), Short(c.DatabaseCPU), Short(c.AllCPU),
					Short(c.GatewayMiB), c.Errors)
			}
		}
		b.WriteString("\n")
	}
}

func (r *Report) writeScaling(b *strings.Builder) {
	if len(r.TypeScaling) > 0 {
		fmt.Fprintf(b, "## Number of types\n\nNode by id through the gateway, %d clients, %d nodes, in turns. \"First\" reads each node once, "+
			"before the gateway's cache of ids can help.\n\n| managed types | first reads/s | reads/s | p99 ms |\n|--:|--:|--:|--:|\n",
			scaleClients, scaleNodes)
		for _, s := range r.TypeScaling {
			fmt.Fprintf(b, "| %d | %s | %s | %s |\n", s.Types, Short(s.First), Short(s.Again), Short(s.P99))
		}
		b.WriteString("\n")
	}
	if len(r.NewTypes) > 0 {
		b.WriteString("First requests after a new type has appeared, beside the many types above:\n\n| request | times | " +
			"median ms | longest ms |\n|---|--:|--:|--:|\n")
		for _, n := range r.NewTypes {
			fmt.Fprintf(b, "| %s | %d | %s | %s |\n", n.Request, n.Times, Short(n.Median), Short(n.Longest))
		}
		b.WriteString("\n")
	}
}

func (r *Report) writeImports(b *strings.Builder) {
	if len(r.Imports) == 0 {
		return
	}
	fmt.Fprintf(b, "## Import\n\n%d nodes and edges, in turns, %d times each. The driver's program writes batches of %d rows by UNWIND, one "+
		"after another.\n\n| target | nodes and edges/s | gateway MiB |\n|---|--:|--:|\n",
		r.Imports[0].Entities, importRounds, importBatch)
	for _, i := range r.Imports {
		fmt.Fprintf(b, "| %s | %s | %s |\n", i.Target, Short(i.PerSecond), Short(i.GatewayMiB))
	}
	b.WriteString("\n")
}

// Short writes a number with about three digits.
func Short(n Number) string {
	v := float64(n)
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return "–"
	case size >= 10_000:
		return fmt.Sprintf("%.0f", math.Round(v/100)*100)
	case size >= 100:
		return fmt.Sprintf("%.0f", v)
	case v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	case size >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

func formatRatio(ratio float64) string {
	if math.IsNaN(ratio) {
		return "–"
	}
	return fmt.Sprintf("%.1fx", ratio)
}

func formatShare(share Number) string {
	if math.IsNaN(float64(share)) {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(share))
}
